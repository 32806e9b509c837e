/** Trouble on the way to a receiver: it ends in an attempt that failed, and holds up nobody. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { Courier, type CourierParts } from './delivery.ts';
import { Outbox } from './outbox.ts';
import { openReceiver } from './receiver.cases.ts';
import { createSigningSecret } from './signature.ts';

const CONTENT = {
  owner_id: 1,
  run_id: '1',
  sequence: 1,
  hook_type: 'NewPlanHook',
  headers: {},
  body: '{}',
} as const;

/** A parcel after its only attempt. */
async function attempted(url: string, parts: Partial<CourierParts> = {}) {
  const outbox = await Outbox.open(':memory:');
  const secrets = [createSigningSecret()];
  const courier = new Courier({
    ...{ outbox, wall: systemClock, rules: { allowPrivate: true, ownPort: () => 0 } },
    profile: { timeout_ms: 1000, at_ms: [0], jitter: 0 },
    secretsOf: async () => secrets,
    onUnsaved: (error) => expect.unreachable(String(error)),
    ...parts,
  });
  const { parcel } = outbox.add({ ...CONTENT, url });
  courier.take(parcel);
  await expect.poll(() => parcel.state, { timeout: 3000 }).not.toBe('pending');
  courier.close();
  return parcel;
}

it('a disk that keeps no signing secret is an attempt that failed', async () => {
  const receiver = await openReceiver();
  const parcel = await attempted(receiver.url, {
    secretsOf: () => Promise.reject(new Error('no space is left')),
  });
  expect(parcel.state).toBe('dead');
  expect(parcel.attempts).toMatchObject([{ status: null, error: 'Error: no space is left' }]);
  await receiver.close();
});

it.each([
  ['switches to another protocol', 'HTTP/1.1 101 Now\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['goes on for ever', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['says nothing that is HTTP', 'good morning\r\n\r\n'],
  ['breaks off its reply', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort'],
  ['breaks off its headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
])('a receiver that %s does not hold its way', async (_what, said) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(said));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const parcel = await attempted(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(parcel.attempts.length).toBe(1);
  server.close();
});
