/** Limits on connections, with an honest client beside the ones that send nothing. */

import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { type ApiFixture, startApiFixture } from './api-fixture.cases.ts';

let fixture: ApiFixture;
const strangers: Socket[] = [];
beforeAll(async () => {
  fixture = await startApiFixture();
});
afterAll(async () => {
  for (const socket of strangers) socket.destroy();
  await fixture.close();
});

/** Opens a connection that sends the start of a request and no more. */
function dial(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(fixture.twin.port, '127.0.0.1', () => {
      socket.write('GET /api/versions HTTP/1.1\r\nHost: a\r\nX: ');
      resolve();
    });
    socket.on('error', () => {});
    strangers.push(socket);
  });
}

it('serves honest clients of the same address beside more strangers than the limit', async () => {
  const stream = await fixture.listen(fixture.ada);
  for (let i = 0; i < limits.connections_per_address + 30; i++) await dial();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => fixture.send('GET', '/api/v1/users', { as: fixture.bob })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  const open = strangers.filter(({ closed }) => !closed);
  expect(open.length).toBeLessThanOrEqual(limits.connections_per_address);
  expect(stream.closed()).toBeNull();
  stream.close();
});
