/** Uploads: judged before they are read, and never kept as a whole. */

import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createPrng } from '../../physics/math/portable.ts';
import { systemClock } from '../clock/clock.ts';
import { type ApiFixture, startApiFixture } from './api-fixture.cases.ts';
import { readBody } from './request-parts.ts';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture();
});
afterAll(() => fixture.close());

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
  const reading = readBody(request, {
    limit_bytes: 10_000_000,
    kept_bytes: 64,
    limit_s: 5,
    wall: systemClock,
  });
  request.push('armtwin-update ');
  for (let i = 0; i < 50; i++) request.push(Buffer.alloc(100_000, 'x'));
  request.push(null);
  const kept = (await reading) as Buffer;
  expect(kept.length).toBe(64);
  expect(kept.buffer.byteLength).toBeLessThan(10_000);
  expect(String(kept)).toMatch(/^armtwin-update x+$/);
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
      const bounds = { limit_bytes: 4000, kept_bytes: 4000, limit_s: 5, wall: systemClock };
      const reading = readBody(request, bounds);
      for (let at = 0; at < sent.length; ) {
        const chunk = sent.subarray(at, at + 1 + 500 * random());
        request.push(chunk);
        at += chunk.length;
      }
      request.push(null);
      const kept = (await reading) as Buffer;
      expect(kept.equals(sent)).toBe(true);
      expect(kept.buffer.byteLength).toBeLessThanOrEqual(4 * sent.length);
      if (length === String(sent.length)) expect(kept.buffer.byteLength).toBe(sent.length);
    }
  },
);

it('copies a body of many small chunks a few times in all', async () => {
  const allocations = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const request = new IncomingMessage(new Socket());
  const bounds = { limit_bytes: 100_000, kept_bytes: 100_000, limit_s: 5, wall: systemClock };
  const reading = readBody(request, bounds);
  for (let i = 0; i < 20_000; i++) request.push(Buffer.of(i));
  request.push(null);
  const kept = (await reading) as Buffer;
  expect(kept.equals(Buffer.from(Array.from({ length: 20_000 }, (_, i) => i)))).toBe(true);
  expect(allocations.mock.calls.length).toBeLessThan(12);
  allocations.mockRestore();
});

it('takes no more memory for a large announcement than four times what has arrived', async () => {
  const request = new IncomingMessage(new Socket());
  request.headers['content-length'] = '10000000';
  const bounds = { limit_bytes: 10_000_000, kept_bytes: 10_000_000, limit_s: 5, wall: systemClock };
  const reading = readBody(request, bounds);
  request.push(Buffer.alloc(100));
  request.push(null);
  expect(((await reading) as Buffer).buffer.byteLength).toBeLessThanOrEqual(400);
});
