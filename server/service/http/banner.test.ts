/** Every reply says which twin has sent it (D4), also one that no route has made. */

import { connect as dial } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../contract/client.ts';
import { createTwin, type Twin } from '../../index.ts';

let twin: Twin;
let session = '';
beforeAll(async () => {
  twin = await createTwin({ webhooks: 'off' });
  ({ token: session } = await connect({ baseUrl: twin.url }).createSession({ token: twin.token }));
});
afterAll(() => twin.close());

/** What the twin answers to a text, up to the end of the headers. */
function headOf(text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = dial(twin.port, '127.0.0.1', () => socket.write(text));
    const end = () => {
      socket.destroy();
      resolve(received.split('\r\n\r\n')[0]!);
    };
    socket.on('data', (chunk) => {
      received += String(chunk);
      if (received.includes('\r\n\r\n')) end();
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}

const request = (path: string, ...lines: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');
const handshake = (path: string, ...lines: string[]) =>
  request(
    path,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...lines,
  );
const STREAM = '/api/v1/data/stream';
const VERSION = 'Sec-WebSocket-Version: 13';
const offer = () => `Sec-WebSocket-Protocol: SessionToken_${session}, object`;
const SDK = 'User-Agent: Automata EvaSDK/4.0.0 (Python)';

it.each<[string, number, () => string]>([
  ['a call', 200, () => request('/api/versions')],
  ['an unknown path', 404, () => request('/api/v1/no')],
  ['a page', 404, () => request('/no-such-page')],
  ['the health of the process', 200, () => request('/livez')],
  ['an unknown expectation', 417, () => request('/api/versions', 'Expect: more')],
  ['a malformed request', 400, () => 'BOGUS\r\n\r\n'],
  ['endless headers', 413, () => request('/', `X: ${'a'.repeat(40_000)}`)],
  ['a tunnel', 405, () => 'CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a wrong host', 421, () => 'GET / HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ['a handshake', 101, () => handshake(STREAM, VERSION, offer())],
  ['a handshake with a slash at the end', 101, () => handshake(`${STREAM}/`, VERSION, offer())],
  ['a handshake without a session', 401, () => handshake(STREAM, VERSION)],
  ['a handshake elsewhere', 404, () => handshake('/api/v1/no', VERSION)],
  ['a handshake of another version', 426, () => handshake(STREAM, offer())],
  ['a call instead of a handshake', 426, () => request(`${STREAM}/`)],
])('%s, status %d', async (_name, status, text) => {
  const head = await headOf(text());
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(
    /\r\nX-Armtwin: \S+; data=memory; driver=fast; clock=stepped; dialect=documented/i,
  );
});

it('names the dialect that the client is answered in', async () => {
  for (const text of [request('/api/versions', SDK), handshake(STREAM, VERSION, offer(), SDK)]) {
    expect(await headOf(text)).toMatch(/\r\nX-Armtwin: .*dialect=fielded/i);
  }
});
