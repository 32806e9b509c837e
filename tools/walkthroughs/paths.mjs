/**
 * The four paths that docs/walkthroughs.md lists, each run in this process: a go_to, the build of a
 * toolpath, a workflow run up to its first signed delivery, and a click on Run in the page. Each
 * returns its stages: the name of the stage and the files that ran in it.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { COMPILED } from './coverage.mjs';

/**
 * @typedef {{ name: string, files: Set<string> }} PathStage
 * @typedef {{ take: () => Promise<Set<string>> }} Trace
 * @typedef {{ url: string, token: string, close: () => Promise<void>,
 *   snapshot: () => Record<string, any> }} TwinHandle
 * @typedef {{ twin: TwinHandle, arm: any, session: string }} Arm
 */

export const TOKEN = 'walkthrough-token';
/** Time for the arm to finish a short motion (ms). */
const ARRIVED_MS = 4000;
/** Time between two looks at what runs in a twin that is left alone (ms). */
const SETTLED_MS = 1500;
/** Looks after which it should always run the same. */
const LOOKS_MOST = 40;
const TARGET = [0.3, 0.2, -1.2, 0, -0.9, 0];

/** @param {number} duration_ms @returns {Promise<void>} */
export const pause = (duration_ms) => new Promise((resolve) => setTimeout(resolve, duration_ms));

/**
 * Waits until start-up work is over: until the same files run in one interval as in the one before.
 * @param {Trace} trace
 */
export async function settle({ take }) {
  let before = '';
  for (let looks = 0; looks < LOOKS_MOST; looks++) {
    await pause(SETTLED_MS);
    const files = [...(await take())].sort().join();
    if (looks > 0 && files === before) return;
    before = files;
  }
  throw new Error(`the twin does not come to rest; at last ${before} ran`);
}

/** @param {string} path */
export const fixture = (path) => JSON.parse(readFileSync(`fixtures/${path}.json`, 'utf8'));

/** @param {string} path */
const compiled = (path) => import(pathToFileURL(`${COMPILED}/${path}.js`).href);

/**
 * A twin with the defaults of `armtwin serve`, a client and a session.
 * @param {object} [options]
 */
export async function startArm(options = {}) {
  const { createTwin } = await compiled('server/index');
  const { connect } = await compiled('contract/client');
  const twin = await createTwin({ clock: 1, driver: 'rapier', token: TOKEN, ...options });
  const arm = connect({ baseUrl: twin.url, token: TOKEN });
  const reply = await call({ twin, session: '' }, 'POST /api/v1/auth', { token: TOKEN });
  return /** @type {Arm} */ ({ twin, arm, session: reply.token });
}

/**
 * A call without the typed client, so that only the files of the server run.
 * @param {{ twin: TwinHandle, session: string }} arm
 * @param {string} line method and path
 * @param {object} [body]
 */
async function call({ twin, session }, line, body) {
  const [method = '', path = ''] = line.split(' ');
  const authorization = session === '' ? {} : { authorization: `Bearer ${session}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const text = body === undefined ? null : JSON.stringify(body);
  const reply = await fetch(twin.url + path, { method, headers, body: text });
  const answer = await reply.text();
  if (!reply.ok) throw new Error(`${line}: ${reply.status} ${answer}`);
  return answer === '' ? null : JSON.parse(answer);
}

/** go_to: from the call to the arrival. @param {Trace} trace @returns {Promise<PathStage[]>} */
export async function goTo({ take }) {
  const arm = await startArm();
  await call(arm, 'POST /api/v1/controls/lock');
  const body = { mode: 'automatic', joints: TARGET, max_speed: 1 };
  await settle({ take });
  await call(arm, 'POST /api/v1/controls/go_to', body);
  const reply = await take();
  await pause(ARRIVED_MS);
  const motion = await take();
  const position = arm.twin.snapshot()['servos.telemetry.position'];
  if (Math.abs(position[0] - TARGET[0]) > 0.01) throw new Error(`go_to ended at ${position}`);
  await arm.twin.close();
  return [
    { name: 'From the call to the reply', files: reply },
    { name: 'From the reply to the arrival', files: motion },
  ];
}

/** The build of a toolpath. @param {Trace} trace @returns {Promise<PathStage[]>} */
export async function build({ take }) {
  const arm = await startArm();
  // The first build starts the planning threads; the second one is traced.
  const ids = [];
  for (const name of ['pick-and-place', 'sorter']) {
    const toolpath = fixture(`toolpaths/${name}`);
    ids.push((await arm.arm.createToolpath({ name, toolpath })).toolpath.id);
  }
  await arm.arm.buildToolpath({ toolpath_id: ids[0] });
  await settle({ take });
  await call(arm, `GET /api/v1/toolpaths/${ids[1]}/build`);
  const files = await take();
  await arm.twin.close();
  return [{ name: 'From the call to the reply', files }];
}

/**
 * A workflow run, up to its first delivery.
 * @param {Trace} trace
 * @returns {Promise<PathStage[]>}
 */
export async function workflowRun({ take }) {
  const arm = await startArm();
  const { secret } = (await arm.arm.getSecret()).signing;
  /** @type {(later: Promise<void>) => void} */
  let deliver = () => {};
  const delivered = new Promise((resolve) => {
    deliver = resolve;
  });
  const receiver = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const headers = /** @type {Record<string, string>} */ (request.headers);
    new Webhook(secret).verify(text, headers);
    response.writeHead(204).end();
    deliver(pause(SETTLED_MS));
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (receiver.address());
  const text = JSON.stringify(fixture('workflows/assay')).replaceAll(
    '127.0.0.1:9000',
    `127.0.0.1:${port}`,
  );
  const { workflow } = await arm.arm.createWorkflow(JSON.parse(text));
  await settle({ take });
  await call(arm, `POST /workflow/v1/workflows/${workflow.id}/runs`, {});
  const reply = await take();
  await delivered;
  const rest = await take();
  await arm.twin.close();
  receiver.closeAllConnections();
  receiver.close();
  return [
    { name: 'From the call to the reply', files: reply },
    { name: 'From the reply to the first delivery', files: rest },
  ];
}
