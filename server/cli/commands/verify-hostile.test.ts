/**
 * `armtwin verify` of services that are no arm, or an arm that fails or answers with ill intent.
 * @module-tag ci
 */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';
import { BoundedSocket } from './bounded-socket.ts';
import { runVerify, type VerifyFlags } from './verify.ts';

const TOKEN = 'a-secret-token';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function verify(url: string, flags: VerifyFlags = {}) {
  const texts = { out: '', err: '' };
  const code = await runVerify(
    url,
    { token: TOKEN, ...flags },
    {
      out: { write: (text: string) => (texts.out += text) },
      err: { write: (text: string) => (texts.err += text) },
    },
  );
  return { code, ...texts };
}

it('names a redirect, which would take the token to another host', async () => {
  const url = await serve((_, response) => {
    response.writeHead(307, { location: 'http://other.test/' }).end();
  });
  const { code, err } = await verify(url);
  expect(err).toContain('answered 307 with a redirect to http://other.test/; give the address of');
  expect(code).toBe(2);
});

it('shows a refusal cut, without the token and without control characters', async () => {
  const url = await serve((_, response) => {
    const title = `\u001b[31m${TOKEN} ${'x'.repeat(10_000)}`;
    const error = { error_code: 1, title, details: null };
    response.writeHead(400).end(JSON.stringify({ error }));
  });
  const { code, err } = await verify(url);
  expect(err).toContain('answered 400 \\u001b[31m*** xxx');
  expect(err).not.toContain(TOKEN);
  expect(err.length).toBeLessThan(400);
  expect(code).toBe(2);
});

/** Sends blanks for as long as the connection takes them. */
function pour(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

const silences: readonly [string, (response: ServerResponse) => void][] = [
  ['never answers', () => {}],
  ['never ends its reply', (response) => void response.writeHead(200).write('{')],
];

it.each(silences)('gives up a service that %s, and ends the connection', async (_, answer) => {
  let isClosed = false;
  const url = await serve((_request, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    answer(response);
  });
  const { code, err } = await verify(url, { firstAnswer_ms: 100 });
  expect(err).toContain('does not answer (no whole reply within 0.1 s)');
  expect(code).toBe(2);
  await expect.poll(() => isClosed).toBe(true);
});

it('reads no reply without end', async () => {
  let isClosed = false;
  const url = await serve((_, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    pour(response);
  });
  const bounded = boundedFetch(() => ({ answer_ms: 10_000, reply_bytes: 100_000 }));
  await expect(bounded(url)).rejects.toThrow('a reply of more than 100000 bytes');
  await expect.poll(() => isClosed).toBe(true);
});

it('ends a handshake that is never answered', async () => {
  const url = await serve(() => {});
  server.on('upgrade', () => {});
  const address = `${url.replace('http', 'ws')}/api/v1/data/stream`;
  const socket = new BoundedSocket(address, ['object'], { handshakeTimeout: 50 });
  socket.on('error', () => {});
  const code = await new Promise((resolve) => socket.on('close', resolve));
  expect(code).toBe(1006);
});

it.each([
  ['a web page', '<html><body>Log in</body></html>', 'a web page'],
  ['half a reply', '{"token": "ab', '{"token": "ab'],
  ['null', 'null', 'null'],
  ['a list', '[]', '[]'],
  ['nothing', '', 'nothing'],
  ['a long text', `"${'a'.repeat(1e6)}"`, `"${'a'.repeat(59)}…`],
  ['a session that no header can carry', '{"token":"a\\nb"}', '{"token":"a\\nb"}'],
])('says that a service is no arm which answers %s', async (_, text, found) => {
  const url = await serve((_request, response) => void response.end(text));
  const { code, err } = await verify(url);
  const said = `createSession: ${url} is no arm: it answered without a session: ${found}`;
  expect(err).toBe(`${url} cannot be verified: ${said}\n`);
  expect(code).toBe(2);
});

it.each(['null', '[]', '{"owner":7}'])('takes the lock %s for that of no arm', async (lock) => {
  const url = await serve((request, response) => {
    response.end(request.url?.endsWith('lock') ? lock : '{"token":"s"}');
  });
  const { code, err } = await verify(url);
  expect(err).toContain(`it is no arm: getLock answered without an owner of the lock: ${lock}`);
  expect(code).toBe(2);
});
