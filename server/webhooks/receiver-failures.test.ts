/** Failures of a receiver or the disk end in a failed attempt and block no lane. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { DeliveryWorker, type DeliveryWorkerParts } from './delivery-worker.ts';
import { openOutbox, openReceiver } from './receiver.cases.ts';
import { createSigningSecret } from './signature.ts';

const CONTENT = {
  owner_id: 1,
  run_id: '1',
  sequence: 1,
  hook_type: 'NewPlanHook',
  headers: {},
  body: '{}',
} as const;

/** Returns a delivery after its only attempt. */
async function attempted(url: string, parts: Partial<DeliveryWorkerParts> = {}) {
  const { outbox, add } = await openOutbox();
  const secrets = [createSigningSecret()];
  const worker = new DeliveryWorker({
    ...{ outbox, wall: systemClock, rules: { allowPrivate: true, ownPort: () => 0 } },
    profile: { timeout_ms: 1000, at_ms: [0], jitter: 0, parked_ms: 1000 },
    secretsOf: async () => secrets,
    onUnsaved: (error) => expect.unreachable(String(error)),
    ...parts,
  });
  const [delivery] = await add({ ...CONTENT, url });
  worker.enqueue(delivery!);
  await expect.poll(() => delivery!.state, { timeout: 3000 }).not.toBe('pending');
  worker.close();
  return delivery!;
}

it('a disk that cannot store the signing secret causes a failed attempt', async () => {
  const receiver = await openReceiver();
  const delivery = await attempted(receiver.url, {
    secretsOf: () => Promise.reject(new Error('no space is left')),
  });
  expect(delivery.state).toBe('dead');
  expect(delivery.attempts).toMatchObject([{ status: null, error: 'Error: no space is left' }]);
  await receiver.close();
});

it.each([
  ['switches to another protocol', 'HTTP/1.1 101 Now\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['never finishes', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['does not speak HTTP', 'good morning\r\n\r\n'],
  ['breaks off its reply', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort'],
  ['breaks off its headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
])('a receiver that %s does not block its lane', async (_what, reply) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(reply));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const delivery = await attempted(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(delivery.attempts.length).toBe(1);
  server.close();
});

it.each([
  [400, 1],
  [401, 1],
  [404, 1],
  [422, 1],
  [499, 1],
  [408, 3],
  [425, 3],
  [429, 3],
  [500, 3],
  [503, 3],
])('an answer with status %i leads to %i attempts', async (status, attempts) => {
  const receiver = await openReceiver((response) => response.writeHead(status).end());
  const profile = { timeout_ms: 1000, at_ms: [0, 1, 2], jitter: 0, parked_ms: 1000 };
  const delivery = await attempted(receiver.url, { profile });
  expect(delivery.state).toBe('dead');
  expect(delivery.attempts.length).toBe(attempts);
  await receiver.close();
});
