/** The stream handshake and frames of misbehaving clients. */

import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connect, type StreamSocketClass } from '../../../contract/client.ts';
import { limits } from '../../../contract/limits.ts';
import { createTwin, type Twin } from '../../index.ts';
import { eventually, sharedApiFixture } from '../http/api-fixture.cases.ts';

const fixture = sharedApiFixture();

type Opened = { readonly reply: IncomingMessage; readonly socket: Duplex | null };

const BARE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
};

function withToken(): Record<string, string> {
  return { ...BARE, 'Sec-WebSocket-Protocol': `SessionToken_${fixture.ada.session}, object` };
}

function open(path: string, headers = {}, handshake = withToken()): Promise<Opened> {
  const { hostname, port } = new URL(fixture.twin.url);
  return new Promise((resolve, reject) => {
    const clientRequest = request({ hostname, port, path, headers: { ...handshake, ...headers } });
    clientRequest.on('upgrade', (reply, socket) => resolve({ reply, socket }));
    clientRequest.on('response', (reply) => resolve({ reply: reply.resume(), socket: null }));
    clientRequest.on('error', reject);
    clientRequest.end();
  });
}

const STREAM = '/api/v1/data/stream';

describe('the handshake', () => {
  it.each(['//', '/\\', 'http://a', '*', '/%zz', '/none'])(
    'is refused for the path %s',
    async (path) => {
      expect((await open(path)).reply.statusCode).toBe(404);
    },
  );

  it.each(['http://', 'http://['])('is malformed for the path %s', async (path) => {
    expect((await open(path)).reply.statusCode).toBe(400);
  });

  it('selects the object protocol: the token is not echoed', async () => {
    const { reply, socket } = await open(`${STREAM}?a=1`);
    expect(reply.statusCode).toBe(101);
    expect(reply.headers['sec-websocket-protocol']).toBe('object');
    socket?.destroy();
  });

  it('accepts the session in the header Authorization', async () => {
    const bearer = (session: string) => ({ Authorization: `Bearer ${session}` });
    const { session } = fixture.ada;
    for (const protocols of [
      { 'Sec-WebSocket-Protocol': 'object' },
      {},
      { 'Sec-WebSocket-Protocol': 'x' },
    ]) {
      const { reply, socket } = await open(STREAM, { ...bearer(session), ...protocols }, BARE);
      expect(reply.statusCode).toBe(101);
      const isOffered =
        'Sec-WebSocket-Protocol' in protocols && protocols['Sec-WebSocket-Protocol'] === 'object';
      expect(reply.headers['sec-websocket-protocol']).toBe(isOffered ? 'object' : undefined);
      socket?.destroy();
    }
    const unknown = await open(STREAM, bearer('None'), BARE);
    expect(unknown.reply.statusCode).toBe(401);
    const both = await open(STREAM, { Authorization: 'Bearer None' });
    expect(both.reply.statusCode).toBe(101);
    both.socket?.destroy();
  });

  it('is refused for another version with the version that is known', async () => {
    const { reply } = await open(STREAM, { 'Sec-WebSocket-Version': '7' });
    expect([reply.statusCode, reply.headers['sec-websocket-version']]).toEqual([426, '13']);
    expect(reply.headers['content-type']).toContain('application/json');
    const keyless = await open(STREAM, { 'Sec-WebSocket-Key': 'short' });
    expect(keyless.reply.statusCode).toBe(400);
    expect(keyless.reply.headers['content-type']).toContain('application/json');
  });

  it('is answered no sooner than 25 ms after the request', async () => {
    for (let i = 0; i < 20; i++) {
      const start_ms = performance.now();
      const { socket } = await open(STREAM);
      expect(performance.now() - start_ms).toBeGreaterThanOrEqual(limits.stream_handshake_s * 1000);
      socket?.destroy();
    }
  });

  it('is required: a plain GET is answered 426', async () => {
    for (const as of [fixture.ada, null]) {
      const got = await fixture.send('GET', STREAM, { as });
      expect([got.status, got.headers['upgrade']]).toEqual([426, 'websocket']);
      expect(got.body).toMatchObject({ error: { error_code: 8 } });
    }
    const post = await fixture.send('POST', STREAM, { as: fixture.ada });
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET']);
  });

  it.each(['http://other.test', 'null', 'nonsense', 'file://'])(
    'is refused to a page of %s',
    async (origin) => {
      expect((await open(STREAM, { Origin: origin })).reply.statusCode).toBe(403);
    },
  );

  it.each([
    ['http', 403],
    ['https', 101],
  ])('behind a proxy with TLS is for a page of %s: %i', async (scheme, status) => {
    const { host } = new URL(fixture.twin.url);
    const headers = { Origin: `${scheme}://${host}`, 'X-Forwarded-Proto': 'https' };
    const { reply, socket } = await open(STREAM, headers);
    expect(reply.statusCode).toBe(status);
    socket?.destroy();
  });

  it('accepts a page of its own origin', async () => {
    const { reply, socket } = await open(STREAM, { Origin: fixture.twin.url });
    expect(reply.statusCode).toBe(101);
    socket?.destroy();
  });
});

/** The mask of a client frame, all zeros, so that the payload is unchanged. */
const MASK = [0, 0, 0, 0];
const LARGE = 4097;

/** Frames that RFC 6455 forbids or that are too large, with the expected close code. */
const FRAMES: readonly (readonly [string, readonly number[], number])[] = [
  ['without a mask', [0x81, 1, 0x61], 1002],
  ['with a reserved bit', [0xc1, 0x80, ...MASK], 1002],
  ['of a reserved kind', [0x83, 0x80, ...MASK], 1002],
  ['that continues no message', [0x80, 0x80, ...MASK], 1002],
  ['that starts a new message within a message', [0x01, 0x80, ...MASK, 0x81, 0x80, ...MASK], 1002],
  ['that is a ping of 126 bytes', [0x89, 0xfe, 0, 126, ...MASK], 1002],
  ['that is a ping in parts', [0x09, 0x80, ...MASK], 1002],
  ['of text that is not UTF-8', [0x81, 0x81, ...MASK, 0xff], 1007],
  ['that closes with a reserved code', [0x88, 0x82, ...MASK, 0x03, 0xed], 1002],
  ['that closes with half a code', [0x88, 0x81, ...MASK, 3], 1002],
  ['of 4 kB and a byte', [0x82, 0xfe, LARGE >> 8, LARGE & 255, ...MASK], 1009],
  ['of 2^63 bytes', [0x82, 0xff, 0x7f, ...Array(7).fill(0xff), ...MASK], 1009],
];

describe('a frame', () => {
  it.each(FRAMES)('%s closes only its own connection', async (_what, bytes, code) => {
    const other = await fixture.listen(fixture.bob);
    const { socket } = await open(STREAM);
    const received: Buffer[] = [];
    socket!.on('data', (chunk: Buffer) => received.push(chunk));
    socket!.on('error', () => {});
    const closed = new Promise((resolve) => socket!.once('close', resolve));
    socket!.write(Buffer.from(bytes));
    await closed;
    const [kind, , high = 0, low = 0] = Buffer.concat(received);
    expect([kind, high * 256 + low]).toEqual([0x88, code]);
    expect(other.closed()).toBeNull();
    other.close();
  });
});

describe('twins of one process', () => {
  /** Opens streams at once; resolves to the number that received an event of their kind. */
  async function listenersThatHear({ url, token, advance }: Twin): Promise<number> {
    const clients = [0, 1, 2].map(() =>
      connect({ baseUrl: url, token, WebSocket: WebSocket as StreamSocketClass }),
    );
    const heard = new Set<number>();
    const streams = Array.from({ length: 12 }, (_, i) => {
      const onEvent = () => heard.add(i);
      const client = clients[i % clients.length]!;
      return i % 2 === 0 ? client.events({ onEvent }) : client.simEvents({ onEvent });
    });
    await Promise.all(streams.map(({ opened }) => opened));
    await clients[0]!.takeLock();
    await advance(0.1);
    await eventually(() => heard.size === streams.length);
    for (const stream of streams) stream.close();
    return heard.size;
  }

  it('publish to every stream that is opened at once, in turn and together', async () => {
    const first = await createTwin();
    expect(await listenersThatHear(first)).toBe(12);
    await first.close();
    const [second, third] = await Promise.all([createTwin(), createTwin({ clock: 1 })]);
    const both = [second, third].map((twin) => listenersThatHear(twin));
    expect(await Promise.all(both)).toEqual([12, 12]);
    await second.close();
    const fourth = await createTwin();
    expect(await listenersThatHear(fourth)).toBe(12);
    await Promise.all([third.close(), fourth.close()]);
  });

  it('publish although the test that made them fakes the timers of the process', async () => {
    vi.useFakeTimers();
    try {
      const twin = await createTwin();
      expect(await listenersThatHear(twin)).toBe(12);
      await twin.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
