/**
 * JavaScript clients in their default settings: node node_clients.mjs CLIENT URL TOKEN. Each logs
 * in, opens the stream, takes the lock, moves the arm, sees the end of the motion on the stream,
 * releases the lock and logs out. Packages come from the folder in CLIENT_PACKAGES.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [name = '', url = '', token = ''] = process.argv.slice(2);
const load = createRequire(join(process.env['CLIENT_PACKAGES'] ?? process.cwd(), 'x.js'));
const versionOf = (/** @type {string} */ id) => load(`${id}/package.json`).version;
const STREAM_LIMIT_MS = 20_000;

/** @typedef {{ status: number, body: any }} Answer */
/** @typedef {{ headers: Record<string, string>, body?: object }} Sent */
/** @typedef {(method: string, path: string, sent: Sent) => Promise<Answer>} Send */

/** @param {typeof globalThis.fetch} fetch @returns {Send} */
const throughFetch =
  (fetch) =>
  async (method, path, { headers, body }) => {
    const content = body && { body: JSON.stringify(body) };
    const type = body && { 'Content-Type': 'application/json' };
    const reply = await fetch(url + path, { method, headers: { ...headers, ...type }, ...content });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
  };

/** @type {Record<string, () => { send: Send, WebSocket: any, version: string }>} */
const CLIENTS = {
  fetch: () => ({
    send: throughFetch(fetch),
    WebSocket: globalThis.WebSocket ?? load('ws').WebSocket,
    version: `fetch of Node ${process.versions.node}, ws ${versionOf('ws')}`,
  }),
  undici: () => {
    const undici = load('undici');
    return {
      send: throughFetch(undici.fetch),
      WebSocket: undici.WebSocket,
      version: `undici ${versionOf('undici')}`,
    };
  },
  axios: () => {
    const axios = load('axios').default ?? load('axios');
    return {
      send: async (method, path, { headers, body: data }) => {
        const reply = await axios({ method, url: url + path, headers, data });
        return { status: reply.status, body: reply.data };
      },
      WebSocket: load('ws').WebSocket,
      version: `axios ${axios.VERSION}, ws ${versionOf('ws')}`,
    };
  },
};

const chosen = CLIENTS[name];
if (!chosen) throw new Error(`unknown client ${name}`);
const { send, WebSocket, version } = chosen();

/** @param {string} line method, path and status @param {object} [body] */
async function call(line, body) {
  const [method = '', path = '', status = ''] = line.split(' ');
  const answer = await send(method, `/api/v1/${path}`, body ? { headers, body } : { headers });
  if (answer.status === Number(status)) return answer.body;
  throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** @type {Record<string, string>} */
const headers = {};
const { token: session } = await call('POST auth 200', { token });
headers['Authorization'] = `Bearer ${session}`;
const stream = new WebSocket(`${url.replace('http', 'ws')}/api/v1/data/stream`, [
  `SessionToken_${session}`,
  'object',
]);
const ended = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('no end of the motion')), STREAM_LIMIT_MS).unref();
  let isMoving = false;
  stream.addEventListener('message', (/** @type {{ data: unknown }} */ { data }) => {
    const state = JSON.parse(String(data)).changes?.control?.state;
    isMoving ||= state === 'running';
    if (isMoving && state === 'ready') resolve(null);
  });
  stream.addEventListener('error', (/** @type {unknown} */ error) => reject(error));
});
await new Promise((resolve) => stream.addEventListener('open', resolve));
await call('POST controls/lock 200');
const far = name.length % 2 === 0 ? 0.25 : 0.35;
await call('POST controls/go_to 204', { joints: [far, 0.4, -1.6, 0, -1.2, 0], mode: 'automatic' });
await ended;
stream.close();
await call('DELETE controls/lock 200');
await call('DELETE auth 204');
console.log(version);
