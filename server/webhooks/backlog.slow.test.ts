/** A hundred thousand events for a receiver that is down: memory use and later delivery. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { RunEvent } from '../../contract/types.generated.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { openStore } from '../store/open-store.ts';
import { type HookOwner, Webhooks } from './webhooks.ts';

const COUNT = 100_000;
const MOST_BYTES = 40e6;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function used_bytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

function eventOf(sequence: number): RunEvent {
  const timestamp = '2026-01-01T00:00:00.000Z';
  const body = { run_id: '1', timestamp, state: 'started' as const, message: `event ${sequence}` };
  return { sequence, hook_type: 'RunStateChangeHook', body };
}

async function open(place: string) {
  const store = await openStore(place);
  const webhooks = new Webhooks({
    ...{ store, profile: 'ci' as const, wall: systemClock },
    rules: { allowPrivate: true, ownPort: () => 0 },
    onUnsaved: (error) => expect.unreachable(String(error)),
  });
  const { outbox } = webhooks;
  const notify = async (sender: HookOwner, event: RunEvent) => {
    const send = await store.change((draft) => webhooks.addDeliveries(draft, sender, [event]));
    send();
  };
  const close = async () => {
    webhooks.close();
    await store.close();
  };
  return { outbox, notify, close };
}

it('keeps deliveries on disk and sends all in order once the receiver is back', async () => {
  const place = mkdtempSync(join(tmpdir(), 'armtwin-backlog-'));
  let isBack = false;
  let heard = 0;
  let wrong = 0;
  const receiver = createServer((request, response) => {
    request.resume();
    if (!isBack) {
      response.writeHead(503).end();
      return;
    }
    heard += 1;
    if (Number(request.headers['x-hook-sequence']) !== heard) wrong += 1;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const sender = {
    owner_id: 1,
    hooks: [{ type: 'RunStateChangeHook' as const, parameters: { url } }],
  };
  const before = used_bytes();
  let webhooks = await open(place);
  try {
    for (let sequence = 1; sequence <= COUNT; sequence++) {
      const stored = webhooks.notify(sender, eventOf(sequence));
      if (sequence % 100 === 0) await stored;
    }
    await expect.poll(() => webhooks.outbox.figures().pending, { timeout: 60_000 }).toBe(COUNT);
    const queued = used_bytes() - before;
    await webhooks.close();
    const begin_ms = performance.now();
    webhooks = await open(place);
    const opened_ms = performance.now() - begin_ms;
    const reopened = used_bytes() - before;
    expect(webhooks.outbox.figures().pending).toBe(COUNT);
    isBack = true;
    await expect
      .poll(() => webhooks.outbox.figures().pending, { timeout: 500_000, interval: 500 })
      .toBe(0);
    const took_s = (performance.now() - begin_ms) / 1000;
    const figure = { queued, reopened, opened_ms, took_s };
    expect({ heard, wrong, ...figure }).toMatchObject({ heard: COUNT, wrong: 0 });
    expect(queued, JSON.stringify(figure)).toBeLessThan(MOST_BYTES);
    expect(reopened, JSON.stringify(figure)).toBeLessThan(MOST_BYTES);
  } finally {
    await webhooks.close();
    receiver.close();
    receiver.closeAllConnections();
    rmSync(place, { recursive: true, force: true });
  }
}, 600_000);
