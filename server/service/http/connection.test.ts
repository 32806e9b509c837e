/** Slow bodies and stalled connections are closed, but not those that wait for work. */

import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { WallClock } from '../../clock/wall-clock.ts';
import { readBody } from './body-reader.ts';
import { exchangeWith } from './exchange.cases.ts';
import { HttpServer } from './http-server.ts';
import { RequestGate } from './request-gate.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A clock that only advances manually. */
function heldClock() {
  const waiting: (() => void)[] = [];
  const after = (_delay_ms: number, callback: () => void) => {
    waiting.push(callback);
    return () => void waiting.splice(waiting.indexOf(callback), 1);
  };
  const clock: WallClock = {
    now_ms: () => 0,
    epoch_ms: () => 0,
    after,
    afterUnreferenced: after,
    soon: () => () => {},
  };
  const ring = () => {
    for (const callback of waiting.splice(0)) callback();
  };
  return { clock, ring, waiting };
}

async function serve(listener: RequestListener) {
  const gate = new RequestGate();
  gate.setHandler(({ request, response }) => listener(request, response));
  const server = new HttpServer(gate);
  await server.listen(0, '127.0.0.1');
  open.push({ close: () => server.node.close() });
  return server.node;
}

function dial(port: number, text: string): { socket: Socket; closed: Promise<string> } {
  let received = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  socket.on('data', (chunk) => (received += String(chunk)));
  socket.on('error', () => {});
  open.push({ close: () => socket.destroy() });
  return { socket, closed: new Promise((done) => socket.on('close', () => done(received))) };
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12';

describe('a slow body', () => {
  it('is refused after the time limit', async () => {
    const { clock, ring, waiting } = heldClock();
    const answers: unknown[] = [];
    const server = await serve((request, response) => {
      const limit = { limit_bytes: 100, kept_bytes: 100, limit_s: 8 };
      void readBody(request, { ...limit, wall: clock, pause_ms: () => 0 }).then((answer) => {
        answers.push(answer);
        response.setHeader('Connection', 'close').end();
      });
    });
    const { closed } = dial(portOf(server), HEAD);
    await expect.poll(() => waiting.length).toBe(1);
    ring();
    await closed;
    expect(answers).toMatchObject([{ refused: 'timed_out' }]);
  });

  it('is disconnected some time after the reply', async () => {
    const { clock, ring, waiting } = heldClock();
    const server = await serve((request, response) => {
      exchangeWith(request, response).closeUnreadBody(clock);
      response.end('early');
    });
    const { closed } = dial(portOf(server), HEAD);
    await expect.poll(() => waiting.length).toBe(1);
    ring();
    expect(await closed).toContain('early');
  });

  it('is not disconnected when it is complete', async () => {
    const { clock, waiting } = heldClock();
    const server = await serve((request, response) => {
      request.resume().on('end', () => {
        exchangeWith(request, response).closeUnreadBody(clock);
        response.end('fine');
      });
    });
    const { socket } = dial(portOf(server), `${HEAD}34567890`);
    await new Promise((done) => socket.once('data', done));
    expect(waiting).toHaveLength(0);
  });
});

describe('a reply before the whole body', () => {
  /** Length of the body, more than the buffers of a connection hold. */
  const LENGTH = 16 * 2 ** 20;
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${LENGTH}\r\n\r\n`;

  it.each([
    ['nobody reads', () => {}],
    ['a reader has left', (request: IncomingMessage) => request.on('data', () => request.pause())],
  ])('does not reset a client that goes on to send: %s', async (_name, read) => {
    const { clock, waiting } = heldClock();
    const server = await serve((request, response) => {
      exchangeWith(request, response).closeUnreadBody(clock);
      read(request);
      response.setHeader('Connection', 'close').end('early');
    });
    const socket = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true });
    open.push({ close: () => socket.destroy() });
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    socket.write(head);
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    await once(socket, 'end');
    expect(received).toContain('early');
    await new Promise<void>((done) => socket.end(Buffer.alloc(LENGTH), done));
    await once(socket, 'close');
    expect(errors).toEqual([]);
    await expect.poll(() => waiting.length).toBe(0);
  });
});

describe('idle connections', () => {
  it('are closed, unless a call is in progress', async () => {
    const server = await serve((_request, response) => setTimeout(() => response.end('late'), 300));
    server.timeout = 100;
    const idle = dial(portOf(server), '');
    const worked = dial(portOf(server), 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(await idle.closed).toBe('');
    expect(await worked.closed).toContain('late');
  });

  it('are closed while a reply is not read', async () => {
    const server = await serve((_request, response) => response.end(Buffer.alloc(32 * 2 ** 20)));
    server.timeout = 200;
    const { socket } = dial(portOf(server), 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.pause();
    const count = () => new Promise<number>((done) => server.getConnections((_e, n) => done(n)));
    await expect.poll(count).toBe(1);
    await expect.poll(count, { timeout: 5000 }).toBe(0);
  });

  it('are closed while the next piece of a reply waits for the client', async () => {
    const server = await serve(async (_request, response) => {
      while (!response.destroyed) {
        if (!response.write(Buffer.alloc(2 ** 20))) await once(response, 'drain');
      }
    });
    server.timeout = 200;
    const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    const { socket } = dial(portOf(server), get.repeat(3));
    socket.pause();
    const count = () => new Promise<number>((done) => server.getConnections((_e, n) => done(n)));
    await expect.poll(count).toBe(1);
    await expect.poll(count, { timeout: 5000 }).toBe(0);
  });

  it('are kept while the rest of a reply is made', async () => {
    const server = await serve((_request, response) => {
      response.write('first');
      setTimeout(() => response.end('last'), 300);
    });
    server.timeout = 100;
    const read = dial(portOf(server), 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(await read.closed).toContain('last');
  });
});
