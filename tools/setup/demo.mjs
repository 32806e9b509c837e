/**
 * `npm run demo`: starts the twin and tells the whole story of a client on it, step by step
 * (testing/demo.ts); flags go to the server. `--stay` leaves the twin running at the end.
 */
import { ensureProgram, exitCodeOf, launch, readyUrl } from './start.mjs';

const STORY = 'dist/testing/demo.js';

/**
 * The token among the flags or in the environment, else one for this demo.
 * @param {string[]} flags
 */
function tokenOf(flags) {
  const at = flags.indexOf('--token');
  return (at < 0 ? process.env['ARMTWIN_TOKEN'] : flags[at + 1]) ?? 'demo';
}

/** @param {string[]} flags */
export async function demo(flags) {
  if (!(await ensureProgram())) return 1;
  const stay = flags.includes('--stay');
  const token = tokenOf(flags);
  const others = flags.filter((flag) => flag !== '--stay');
  const quiet = flags.includes('--log-level') ? [] : ['--log-level', 'warn'];
  const named = flags.includes('--token') ? [] : ['--token', token];
  const server = launch([...named, ...quiet, ...others], ['inherit', 'pipe', 'inherit']);
  const ended = exitCodeOf(server);
  /** @type {string} */
  let url;
  try {
    url = await readyUrl(server);
  } catch (error) {
    process.stderr.write(`the demo could not start: ${String(error)}\n`);
    return 1;
  }
  process.stdout.write(`look at it on ${url}/#token=${token}\n`);
  const code = await exitCodeOf(launch([url, token], 'inherit', STORY));
  if (stay && code === 0) return ended;
  server.kill('SIGTERM');
  await ended;
  return code;
}
