/**
 * `npm run demo`: the twin with an arm that picks and places without end, to look at. It is a
 * client like any other: session, lock, toolpath, run.
 */
import { readFileSync } from 'node:fs';
import { ensureProgram, exitCodeOf, launch, readyUrl } from './start.mjs';

const TOOLPATH = 'fixtures/toolpaths/pick-and-place.json';

/**
 * A call with a JSON body, or with none for null; rejects with the service's own words when it is
 * refused.
 * @param {string} url
 * @param {unknown} body
 * @param {string} [session]
 */
async function post(url, body, session) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      ...(session === undefined ? {} : { Authorization: `Bearer ${session}` }),
    },
    body: body === null ? null : JSON.stringify(body),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

/**
 * Runs the toolpath without end on the twin at `baseUrl`.
 * @param {string} baseUrl
 * @param {string} token
 */
async function runForever(baseUrl, token) {
  const api = `${baseUrl}/api/v1`;
  const { token: session } = await post(`${api}/auth`, { token });
  const toolpath = JSON.parse(readFileSync(TOOLPATH, 'utf8'));
  await post(`${api}/controls/lock`, null, session);
  await post(`${api}/toolpath/use`, { name: 'Pick and place', toolpath }, session);
  await post(`${api}/controls/run`, { mode: 'automatic', loop: 0 }, session);
  process.stderr.write(`the arm moves; look at it on ${baseUrl}/#token=${token}\n`);
}

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
  const token = tokenOf(flags);
  const all = flags.includes('--token') ? flags : ['--token', token, ...flags];
  const child = launch(all, ['inherit', 'pipe', 'inherit']);
  const ended = exitCodeOf(child);
  if (child.stdout === null) return ended;
  let failed = false;
  child.stdout.pipe(process.stdout);
  readyUrl(child)
    .then((url) => runForever(url, token))
    .catch((error) => {
      failed = true;
      process.stderr.write(`the demo could not start: ${error.message}\n`);
      child.kill('SIGTERM');
    });
  const code = await ended;
  return failed ? 1 : code;
}
