/**
 * `npm run demo`: starts a twin and runs a client on it step by step (testing/demo.ts); flags go to
 * the server. `--stay` keeps the twin running at the end. `npm run demo workflow` runs the workflow
 * of the fixtures in a twin (testing/workflow-demo.ts).
 */
import { ensureInstalled } from './install.mjs';
import { runInForeground } from './process.mjs';
import { ensureProgram, exitCodeOf, launch, readyUrl } from './start.mjs';

const CLIENT = 'dist/testing/demo.js';
const WORKFLOW_CLIENT = 'testing/workflow-demo.ts';

/**
 * The token of the flags or the environment; else a default.
 * @param {string[]} flags
 */
function tokenOf(flags) {
  const at = flags.indexOf('--token');
  return (at < 0 ? process.env['ARMTWIN_TOKEN'] : flags[at + 1]) ?? 'demo';
}

/** @param {string[]} flags */
export async function demo(flags) {
  if (flags[0] === 'workflow') {
    if (!(await ensureInstalled())) return 1;
    return runInForeground(['--import', 'tsx', WORKFLOW_CLIENT, ...flags.slice(1)]);
  }
  if (!(await ensureProgram('start'))) return 1;
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
    process.stderr.write(`The demo could not start: ${String(error)}\n`);
    return 1;
  }
  process.stdout.write(`Open ${url}/#token=${token} to watch.\n`);
  const code = await exitCodeOf(launch([url, token], 'inherit', CLIENT));
  if (stay && code === 0) return ended;
  server.kill('SIGTERM');
  await ended;
  return code;
}
