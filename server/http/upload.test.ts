/** Uploads: judged before they are read, and never kept as a whole. */

import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { createPrng } from '../../physics/math/portable.ts';
import { systemClock } from '../clock/clock.ts';
import { DocumentReader } from '../documents/document-tasks.ts';
import { type ApiFixture, startApiFixture } from './api-fixture.cases.ts';
import { readBody } from './request-parts.ts';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture();
});
afterAll(() => fixture.close());

/** Reads a body of at most so many bytes. */
async function readOf(
  request: IncomingMessage,
  limit_bytes: number,
  bounds: Partial<Parameters<typeof readBody>[1]> = {},
): Promise<readonly Buffer[]> {
  const common = { limit_bytes, kept_bytes: limit_bytes, limit_s: 5, wall: systemClock };
  const read = await readBody(request, { ...common, pause_ms: () => 0, ...bounds });
  if ('refused' in read) throw new Error(read.refused);
  return read;
}

const memoryOf = (pieces: readonly Buffer[]) =>
  pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);

it('answers before the body of an upload that the lock or the size forbids', async () => {
  const first = (length: number) =>
    new Promise<string>((resolve) => {
      const socket = connect(fixture.twin.port, '127.0.0.1');
      const head = [
        'POST /api/v1/config/update HTTP/1.1',
        'Host: a',
        `Authorization: Bearer ${fixture.admin.session}`,
        'Content-Type: application/octet-stream',
        `Content-Length: ${length}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.once('data', (chunk) => {
        socket.destroy();
        resolve(String(chunk));
      });
    });
  expect(await first(1000)).toMatch(/^HTTP\/1\.1 403 .*you don't own the robot lock/s);
  expect(await first(2 ** 40)).toMatch(/^HTTP\/1\.1 413 /);
});

it('keeps the start of a body alone', async () => {
  const request = new IncomingMessage(new Socket());
  const reading = readOf(request, 10_000_000, { kept_bytes: 64 });
  request.push('armtwin-update ');
  for (let i = 0; i < 50; i++) request.push(Buffer.alloc(100_000, 'x'));
  request.push(null);
  const kept = await reading;
  expect(kept.map(({ length }) => length)).toEqual([64]);
  expect(memoryOf(kept)).toBeLessThan(10_000);
  expect(String(kept[0])).toMatch(/^armtwin-update x+$/);
});

it.each([
  ['announced', (size: number) => String(size)],
  ['not announced', () => undefined],
])(
  'keeps every byte of a body in one memory no larger than four of it: %s',
  async (_, announce) => {
    const random = createPrng(20);
    for (let round = 0; round < 20; round++) {
      const sent = Buffer.from(Array.from({ length: 1 + 3000 * random() }, () => 256 * random()));
      const request = new IncomingMessage(new Socket());
      const length = announce(sent.length);
      if (length !== undefined) request.headers['content-length'] = length;
      const reading = readOf(request, 4000);
      for (let at = 0; at < sent.length; ) {
        const chunk = sent.subarray(at, at + 1 + 500 * random());
        request.push(chunk);
        at += chunk.length;
      }
      request.push(null);
      const kept = await reading;
      expect(kept).toHaveLength(1);
      expect(kept[0]!.equals(sent)).toBe(true);
      expect(memoryOf(kept)).toBeLessThanOrEqual(4 * sent.length);
      if (length === String(sent.length)) expect(memoryOf(kept)).toBe(sent.length);
    }
  },
);

it('copies a body of many small chunks a few times in all', async () => {
  const allocations = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const request = new IncomingMessage(new Socket());
  const reading = readOf(request, 100_000);
  for (let i = 0; i < 20_000; i++) request.push(Buffer.of(i));
  request.push(null);
  const [kept] = await reading;
  expect(kept!.equals(Buffer.from(Array.from({ length: 20_000 }, (_, i) => i)))).toBe(true);
  expect(allocations.mock.calls.length).toBeLessThan(12);
  allocations.mockRestore();
});

it('takes no more memory for a large announcement than four times what has arrived', async () => {
  const request = new IncomingMessage(new Socket());
  request.headers['content-length'] = '10000000';
  const reading = readOf(request, 10_000_000);
  request.push(Buffer.alloc(100));
  request.push(null);
  expect(memoryOf(await reading)).toBeLessThanOrEqual(400);
});

it.each([
  ['announced', (size: number) => String(size)],
  ['not announced', () => undefined],
])('keeps a large body in pieces that were never copied: %s', async (_, announce) => {
  const random = createPrng(7);
  const size = 5_000_000;
  // The pattern repeats at other places of each piece.
  const pattern = Buffer.from(Array.from({ length: 4099 }, () => 256 * random()));
  const sent = Buffer.alloc(size, pattern);
  const allocations = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const request = new IncomingMessage(new Socket());
  const length = announce(size);
  if (length !== undefined) request.headers['content-length'] = length;
  const reading = readOf(request, 64_000_000);
  for (let at = 0; at < size; at += 65_536) request.push(sent.subarray(at, at + 65_536));
  request.push(null);
  const kept = await reading;
  const piece = 1024 * 1024;
  expect(kept.map((one) => one.length)).toEqual([piece, piece, piece, piece, size - 4 * piece]);
  expect(Buffer.concat(kept).equals(sent)).toBe(true);
  // Small memories for the first piece, and one for each of the others.
  expect(allocations.mock.calls.map(([bytes]) => bytes).filter((n) => n > 300_000)).toHaveLength(5);
  allocations.mockRestore();
});

it('receives large bodies at a pace: all of them together, smaller ones at once', async () => {
  let now_ms = 0;
  const wall = {
    ...systemClock,
    now_ms: () => now_ms,
    afterUnreferenced(delay_ms: number, callback: () => void) {
      if (delay_ms === 5000) return () => {};
      now_ms += delay_ms;
      return systemClock.soon(callback);
    },
  };
  const documents = new DocumentReader({ wall, keepsTime: () => true });
  const pause_ms = (bytes: number) => documents.pauseAfter(bytes);
  const receive = async (size: number) => {
    const request = new IncomingMessage(new Socket());
    const reading = readOf(request, 64_000_000, { wall, pause_ms });
    for (let at = 0; at < size; at += 65_536) request.push(Buffer.alloc(65_536));
    request.push(null);
    await reading;
  };
  const start = limits.large_document_bytes;
  await receive(start);
  expect(now_ms).toBe(0);
  const size = 4 * 1024 * 1024;
  await Promise.all([receive(size), receive(size)]);
  const paced_ms = (2 * (size - start) * 1000) / limits.large_body_bytes_per_s;
  // The last bytes may arrive a little before they are due.
  expect(paced_ms - now_ms).toBeGreaterThan(-1e-6);
  expect(paced_ms - now_ms).toBeLessThan(15);
  await documents.close();
});

it('receives bodies as they come while the clock is stepped', async () => {
  const documents = new DocumentReader({ wall: systemClock, keepsTime: () => false });
  expect(documents.pauseAfter(2 ** 40)).toBe(0);
  await documents.close();
});
