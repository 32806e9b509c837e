/** The stream handshake and frames of misbehaving clients. */
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiFixture, startApiFixture } from '../http/api-fixture.cases.ts';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture();
});
afterAll(() => fixture.close());

type Opened = { readonly reply: IncomingMessage; readonly socket: Duplex | null };

function open(path: string, headers: Record<string, string> = {}): Promise<Opened> {
  const { hostname, port } = new URL(fixture.twin.url);
  const handshake = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
    'Sec-WebSocket-Protocol': `SessionToken_${fixture.ada.session}, object`,
  };
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
  it.each(['//', '/\\', 'http://', 'http://[', '*', '/%zz', '/none'])(
    'is refused for the path %s',
    async (path) => {
      expect((await open(path)).reply.statusCode).toBe(404);
    },
  );

  it('selects the object protocol: the token is not echoed', async () => {
    const { reply, socket } = await open(`${STREAM}?a=1`);
    expect(reply.statusCode).toBe(101);
    expect(reply.headers['sec-websocket-protocol']).toBe('object');
    socket?.destroy();
  });

  it.each(['http://other.test', 'null', 'nonsense', 'file://'])(
    'is refused to a page of %s',
    async (origin) => {
      expect((await open(STREAM, { Origin: origin })).reply.statusCode).toBe(403);
    },
  );

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
