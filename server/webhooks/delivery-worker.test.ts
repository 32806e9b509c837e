/** Receivers that are down, slow, wrong or endless: when they are called, and in which order. */
import { afterEach, describe, expect, it } from 'vitest';
import type { DeliveryAttempt } from '../../contract/types.generated.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { DeliveryRecord } from './delivery-record.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { type Answering, openOutbox, openReceiver, type Receiver } from './receiver.cases.ts';
import type { Resolve } from './resolver.ts';
import { RETRY_PROFILES } from './retry-profiles.ts';
import { createSigningSecret } from './signature.ts';

const EPOCH_MS = Date.parse('2026-01-01T00:00:00Z');

/** A wall clock that only advances by `step`; sockets are real. */
class SteppedWallClock implements WallClock {
  private time_ms = 0;
  private timers: { readonly due_ms: number; readonly callback: () => void }[] = [];

  now_ms = () => this.time_ms;
  epoch_ms = () => EPOCH_MS + this.time_ms;
  soon = (callback: () => void) => {
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  };

  after = (delay_ms: number, callback: () => void) => {
    const timer = { due_ms: this.time_ms + delay_ms, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  };
  afterUnreferenced = this.after;

  /** Lets time pass without a timer. */
  leap(duration_ms: number): void {
    this.time_ms += duration_ms;
  }

  /** Advances to the next timer and runs it. */
  step(): void {
    const [next] = this.timers.sort((a, b) => a.due_ms - b.due_ms);
    if (!next) return;
    this.timers = this.timers.filter((one) => one !== next);
    this.time_ms = Math.max(this.time_ms, next.due_ms);
    next.callback();
  }
}

interface Sender {
  readonly clock: SteppedWallClock;
  readonly send: (url: string, count?: number, run?: string) => Promise<DeliveryRecord[]>;
}

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function openSender(resolve?: Resolve): Promise<Sender> {
  const clock = new SteppedWallClock();
  const { outbox, add } = await openOutbox();
  const secrets = [createSigningSecret()];
  const worker = new DeliveryWorker({
    ...{ outbox, profile: RETRY_PROFILES.ci, wall: clock, secretsOf: async () => secrets },
    rules: { allowPrivate: true, ownPort: () => 0 },
    onUnsaved: (error) => expect.unreachable(String(error)),
    ...(resolve ? { resolve } : {}),
  });
  closing.push(() => worker.close());
  const base = { owner_id: 1, hook_type: 'NewPlanHook', headers: {} } as const;
  const send = async (url: string, count = 1, run_id = '1') => {
    const contents = Array.from({ length: count }, (_, i) => {
      return { ...base, run_id, url, sequence: i + 1, body: `{"n":${i + 1}}` };
    });
    const deliveries = await add(...contents);
    for (const delivery of deliveries) worker.enqueue(delivery);
    return deliveries;
  };
  return { clock, send };
}

async function receiving(answering: Answering): Promise<Receiver> {
  const receiver = await openReceiver(answering);
  closing.push(() => receiver.close());
  return receiver;
}

async function real(isOver: () => boolean): Promise<void> {
  for (let looks = 0; looks < 2000 && !isOver(); looks++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(isOver()).toBe(true);
}

/** Advances the clock after each finished call, until a delivery is settled. */
async function settled({ clock }: Sender, delivery: DeliveryRecord): Promise<DeliveryRecord> {
  for (let tries = 1; ; tries++) {
    await real(() => delivery.attempts.length >= tries);
    await new Promise((resolve) => setImmediate(resolve));
    if (delivery.state !== 'pending') return delivery;
    clock.step();
  }
}

const starts_s = ({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) =>
  attempts.map(({ at }) => (Date.parse(at) - EPOCH_MS) / 1000);

const CI_S = [0, 1, 2, 5, 10, 30];

describe('a receiver that refuses connections', () => {
  it('parks its lane, and gets everything in order when it is back', async () => {
    const gone = await openReceiver();
    await gone.close();
    const sender = await openSender();
    const deliveries = await sender.send(gone.url, 3);
    const [first] = deliveries;
    const waits_s = [0, 0.5, 1.5, 3.5, 7.5, 12.5, 17.5];
    for (const [tries] of waits_s.entries()) {
      await real(() => first!.attempts.length > tries);
      await new Promise((resolve) => setImmediate(resolve));
      if (tries < waits_s.length - 1) sender.clock.step();
    }
    expect(starts_s(first!)).toEqual(waits_s);
    for (let minute = 0; minute < 20; minute++) {
      const { length } = first!.attempts;
      const last = first!.attempts.at(-1);
      sender.clock.step();
      await real(() => first!.attempts.length > length || first!.attempts.at(-1) !== last);
    }
    expect(first!.attempts.length).toBeLessThanOrEqual(20);
    expect(deliveries.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
    const back = await openReceiver(undefined, Number(new URL(gone.url).port));
    closing.push(() => back.close());
    await new Promise((resolve) => setImmediate(resolve));
    sender.clock.step();
    await real(() => deliveries.every(({ state }) => state === 'delivered'));
    expect(back.received.map(({ text }) => text)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    expect(back.received[0]!.headers['x-hook-attempt']).toBe('1');
  });

  it('is given up after three days', async () => {
    const gone = await openReceiver();
    await gone.close();
    const sender = await openSender();
    const [delivery] = await sender.send(gone.url);
    await real(() => delivery!.attempts.length > 0);
    sender.clock.leap(72 * 3600 * 1000);
    expect((await settled(sender, delivery!)).state).toBe('dead');
  });
});

describe('the ci schedule', () => {
  it.each([301, 302, 408, 500, 503])(
    'is kept to the second for a receiver that answers %d',
    async (status) => {
      const sender = await openSender();
      const receiver = await receiving((response) => {
        response.writeHead(status, { Location: '/elsewhere' }).end();
      });
      const [delivery] = await sender.send(receiver.url);
      expect(starts_s(await settled(sender, delivery!))).toEqual(CI_S);
      expect(delivery!.state).toBe('dead');
      expect(delivery!.attempts.map((one) => one.status)).toEqual(CI_S.map(() => status));
      const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      expect([...ids]).toEqual([delivery!.message_id]);
      expect(receiver.received.length).toBe(CI_S.length);
    },
  );

  it('continues as soon as possible for a receiver that hangs until the timeout', async () => {
    const sender = await openSender();
    const receiver = await receiving(() => {});
    const [delivery] = await sender.send(receiver.url);
    for (let calls = 1; delivery!.state === 'pending'; calls++) {
      await real(() => receiver.received.length >= calls);
      sender.clock.step();
      await real(() => delivery!.attempts.length >= calls);
      await new Promise((resolve) => setImmediate(resolve));
      if (delivery!.state === 'pending') sender.clock.step();
    }
    expect(starts_s(delivery!)).toEqual([0, 5, 10, 15, 20, 30]);
    for (const one of delivery!.attempts) {
      expect(one).toMatchObject({ duration_ms: 5000, status: null, error: 'no reply within 5 s' });
    }
  });

  it.each<[string, number, (sender: Sender, tries: number) => void]>([
    ['20 s of Retry-After', 19, () => {}],
    ['a process that stood for 60 s', 60, ({ clock }, tries) => tries === 2 && clock.leap(61_000)],
  ])('moves later attempts by %s', async (cause, late_s, lose) => {
    const sender = await openSender();
    const receiver = await receiving((response, _, index) => {
      const asks = cause.includes('Retry') && index === 1;
      response.writeHead(503, asks ? { 'Retry-After': '20' } : {}).end();
    });
    const [delivery] = await sender.send(receiver.url);
    for (let tries = 1; delivery!.state === 'pending'; tries++) {
      await real(() => delivery!.attempts.length >= tries);
      await new Promise((resolve) => setImmediate(resolve));
      lose(sender, tries);
      sender.clock.step();
    }
    expect(starts_s(delivery!)).toEqual(CI_S.map((at_s, i) => (i < 2 ? at_s : at_s + late_s)));
  });

  it('goes on where it was when a receiver that was down is back', async () => {
    const failing: Answering = (response) => response.writeHead(503, { Connection: 'close' }).end();
    const first = await openReceiver(failing);
    const sender = await openSender();
    const [delivery] = await sender.send(first.url);
    await real(() => delivery!.attempts.length === 1);
    await first.close();
    sender.clock.step();
    await real(() => delivery!.attempts.length === 2);
    sender.clock.leap(120_000);
    const back = await openReceiver(failing, Number(new URL(first.url).port));
    closing.push(() => back.close());
    for (let tries = 2; delivery!.state === 'pending'; tries++) {
      await real(() => delivery!.attempts.length >= tries);
      await new Promise((resolve) => setImmediate(resolve));
      sender.clock.step();
    }
    const starts = starts_s(delivery!);
    expect(starts.slice(3).map((at_s) => at_s - starts[2]!)).toEqual([1, 4, 9, 29]);
  });

  it.each([
    ['4', 4],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7],
    ['soon', 1],
  ])('waits for Retry-After %s', async (retryAfter, second_s) => {
    const sender = await openSender();
    const receiver = await receiving((response, _, index) => {
      response.writeHead(index === 0 ? 429 : 204, { 'Retry-After': retryAfter }).end();
    });
    const [delivery] = await sender.send(receiver.url);
    expect(starts_s(await settled(sender, delivery!))).toEqual([0, second_s]);
    expect(delivery!.state).toBe('delivered');
  });
});

describe('order', () => {
  it('is kept per lane, and a dead receiver delays no other', async () => {
    const sender = await openSender();
    const receiver = await receiving((response, _, index) => {
      response.writeHead(index % 3 === 0 ? 500 : 200).end();
    });
    const hanging = await receiving(() => {});
    await sender.send(hanging.url, 5);
    const deliveries = await sender.send(receiver.url, 12);
    const other = await sender.send(receiver.url, 3, '2');
    // A due retry goes before the deliveries that wait behind it.
    for (const delivery of [...deliveries, ...other]) {
      while (delivery.state === 'pending') {
        sender.clock.step();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
    const isDone = (delivery: DeliveryRecord) => delivery.state === 'delivered';
    expect([...deliveries, ...other].every(isDone)).toBe(true);
    const calls = receiver.received.map(({ headers, text }) => [headers['webhook-id'], text]);
    const firsts = calls.filter(([id], i) => calls.findIndex(([one]) => one === id) === i);
    const mine = new Set<unknown>(deliveries.map(({ message_id }) => message_id));
    const own = firsts.filter(([id]) => mine.has(id)).map(([, text]) => text);
    expect(own).toEqual(deliveries.map(({ body }) => body));
  });

  it('has at most four calls in flight to one host', async () => {
    const sender = await openSender();
    const receiver = await receiving(() => {});
    for (let run = 1; run <= 9; run++) await sender.send(receiver.url, 1, String(run));
    await real(() => receiver.received.length >= 4);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(receiver.received.length).toBe(4);
  });
});

it('reads only a bounded part of an endless reply', async () => {
  const chunk = Buffer.alloc(64 * 1024);
  let sent_bytes = 0;
  const receiver = await receiving((response) => {
    const pour = () => {
      do sent_bytes += chunk.length;
      while (response.write(chunk) && sent_bytes < 1e9);
    };
    response
      .writeHead(200)
      .on('drain', pour)
      .on('error', () => {});
    pour();
  });
  const sender = await openSender();
  const [delivery] = await sender.send(receiver.url);
  await settled(sender, delivery!);
  expect([delivery!.state, delivery!.attempts[0]!.status]).toEqual(['delivered', 200]);
  expect(sent_bytes).toBeLessThan(16e6);
});

it('resolves the address at every attempt, and refuses one that is denied by then', async () => {
  const receiver = await receiving((response) => response.writeHead(500).end());
  const answers = ['127.0.0.1', '169.254.169.254', '127.0.0.1', '10.0.0.1', '0.0.0.0', '::'];
  const lookups: string[] = [];
  const sender = await openSender(async (host) => {
    lookups.push(host);
    return host === 'hooks.test' ? [answers[lookups.length - 1]!] : [];
  });
  answers[3] = '224.0.0.1';
  const url = receiver.url.replace('127.0.0.1', 'hooks.test');
  const [delivery] = await sender.send(url);
  await settled(sender, delivery!);
  expect(lookups.length).toBe(6);
  expect(delivery!.attempts.map(({ status }) => status)).toEqual([
    500,
    null,
    500,
    null,
    null,
    null,
  ]);
  for (const i of [1, 3, 4, 5]) expect(delivery!.attempts[i]!.error).toContain('never called');
  expect(receiver.received.length).toBe(2);
  expect(receiver.received[0]!.headers.host).toContain('hooks.test');
});
