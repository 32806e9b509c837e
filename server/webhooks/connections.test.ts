/** Connections to real receivers: when they are kept, and what a reply of any end leads to. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { openOutbox } from './receiver.cases.ts';

let closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing) close();
  closing = [];
});

/** A receiver that keeps idle connections open, and a worker that sends to it. */
async function opened(answer: (response: ServerResponse) => void) {
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { outbox, add } = await openOutbox();
  const worker = new DeliveryWorker({
    ...{ outbox, wall: systemClock, rules: { allowPrivate: true, ownPort: () => 0 } },
    profile: { timeout_ms: 5000, at_ms: [0], jitter: 0, parked_ms: 1000 },
    secretsOf: async () => ['whsec_AAAA'],
    onUnsaved: (error) => expect.unreachable(String(error)),
  });
  closing.push(() => worker.close());
  closing.push(() => server.close() && server.closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  /** Resolves with a delivery that has been sent. */
  const send = async () => {
    const content = { owner_id: 1, run_id: '1', sequence: 1, hook_type: 'NewPlanHook' } as const;
    const [delivery] = await add({ ...content, url, headers: {}, body: '{}' });
    const settled = new Promise<void>((resolve) => {
      const settle = outbox.settle.bind(outbox);
      outbox.settle = async (one) => {
        await settle(one);
        if (one === delivery) resolve();
      };
    });
    worker.enqueue(delivery!);
    await settled;
    await new Promise(setImmediate);
    return delivery!;
  };
  return { worker, sockets, send };
}

it.each([
  ['no body', 0, 1],
  ['a short body', 8, 1],
  ['as long a body as is read', limits.hook_reply_bytes, 1],
  ['a longer body', limits.hook_reply_bytes + 1, 2],
])(
  'two deliveries that are answered with %s (%d bytes) use %d connections',
  async (_what, bytes, connections) => {
    const { sockets, send } = await opened((response) => response.end(Buffer.alloc(bytes)));
    for (const delivery of [await send(), await send()]) {
      expect(delivery.state).toBe('delivered');
      expect(delivery.attempts).toMatchObject([{ status: 200, error: '' }]);
    }
    expect(sockets.length).toBe(connections);
  },
);

it('a reply after which the receiver closes the connection is no failure', async () => {
  const { sockets, send } = await opened((response) => {
    response.writeHead(200, { Connection: 'close' }).end('accepted');
  });
  for (const delivery of [await send(), await send()]) {
    expect(delivery.attempts).toMatchObject([{ status: 200, error: '' }]);
  }
  expect(sockets.length).toBe(2);
});

it('a reply that breaks off counts by its status', async () => {
  const { send } = await opened((response) => {
    response.writeHead(200, { 'Content-Length': 9 }).write('short', () => response.destroy());
  });
  const delivery = await send();
  expect(delivery.state).toBe('delivered');
  expect(delivery.attempts).toMatchObject([{ status: 200, error: '' }]);
});

it('the connections that were kept end with the worker', async () => {
  const { worker, sockets, send } = await opened((response) => response.end());
  await send();
  const ended = once(sockets[0]!, 'close');
  worker.close();
  await ended;
  expect(sockets.length).toBe(1);
});
