/** Uploads: judged before they are read, and never kept as a whole. */

import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
