/** Receivers that are dead, slow, wrong or greedy: when they are called, and in which order. */
import { afterEach, describe, expect, it } from 'vitest';
import type { DeliveryAttempt } from '../../contract/types.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { Courier } from './delivery.ts';
import { Outbox } from './outbox.ts';
import type { Parcel } from './parcel.ts';
import { PROFILES } from './profile.ts';
import { type Answering, openReceiver, type Receiver } from './receiver.cases.ts';
import type { Resolve } from './resolver.ts';
import { createSigningSecret } from './signature.ts';

const EPOCH_MS = Date.parse('2026-01-01T00:00:00Z');

/** A wall clock that stands still until it is told to go on; sockets are real. */
class HandClock implements WallClock {
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

  /** Goes on to the next thing that is to happen. */
  step(): void {
    const [next] = this.timers.sort((a, b) => a.due_ms - b.due_ms);
    if (!next) return;
    this.timers = this.timers.filter((one) => one !== next);
    this.time_ms = Math.max(this.time_ms, next.due_ms);
    next.callback();
  }
}

interface Post {
  readonly clock: HandClock;
  readonly send: (url: string, count?: number, run?: string) => Promise<Parcel[]>;
}

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function openPost(resolve?: Resolve): Promise<Post> {
  const clock = new HandClock();
  const outbox = await Outbox.open(':memory:');
  const secrets = [createSigningSecret()];
  const courier = new Courier({
    ...{ outbox, profile: PROFILES.ci, wall: clock, secretsOf: async () => secrets },
    rules: { allowPrivate: true, ownPort: () => 0 },
    onUnsaved: (error) => expect.unreachable(String(error)),
    ...(resolve ? { resolve } : {}),
  });
  closing.push(() => courier.close());
  const base = { owner_id: 1, hook_type: 'NewPlanHook', headers: {} } as const;
  const send = async (url: string, count = 1, run_id = '1') => {
    const parcels = Array.from({ length: count }, (_, i) => {
      return outbox.add({ ...base, run_id, url, sequence: i + 1, body: `{"n":${i + 1}}` }).parcel;
    });
    for (const parcel of parcels) courier.take(parcel);
    return parcels;
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

/** Lets the clock go on only when a call has come back, until a parcel is settled. */
async function settled({ clock }: Post, parcel: Parcel): Promise<Parcel> {
  for (let tries = 1; ; tries++) {
    await real(() => parcel.attempts.length >= tries);
    await new Promise((resolve) => setImmediate(resolve));
    if (parcel.state !== 'pending') return parcel;
    clock.step();
  }
}

const starts_s = ({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) =>
  attempts.map(({ at }) => (Date.parse(at) - EPOCH_MS) / 1000);

const CI_S = [0, 1, 2, 5, 10, 30];

describe('the ci schedule', () => {
  it.each([301, 302, 404, 500, 503])(
    'is kept to the second by a receiver that says %d',
    async (status) => {
      const post = await openPost();
      const receiver = await receiving((response) => {
        response.writeHead(status, { Location: '/elsewhere' }).end();
      });
      const [parcel] = await post.send(receiver.url);
      expect(starts_s(await settled(post, parcel!))).toEqual(CI_S);
      expect(parcel!.state).toBe('dead');
      expect(parcel!.attempts.map((one) => one.status)).toEqual(CI_S.map(() => status));
      const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      expect([...ids]).toEqual([parcel!.message_id]);
      expect(receiver.received.length).toBe(CI_S.length);
    },
  );

  it('is kept where nobody listens, and what comes after waits its turn', async () => {
    const gone = await openReceiver();
    await gone.close();
    const post = await openPost();
    const [first, second] = await post.send(gone.url, 2);
    expect(starts_s(await settled(post, first!))).toEqual(CI_S);
    expect(first!.attempts[0]).toMatchObject({ status: null });
    expect(starts_s(await settled(post, second!))).toEqual(CI_S.map((at_s) => at_s + 30));
  });

  it('goes on as soon as it can with a receiver that hangs until the time-out', async () => {
    const post = await openPost();
    const receiver = await receiving(() => {});
    const [parcel] = await post.send(receiver.url);
    for (let calls = 1; parcel!.state === 'pending'; calls++) {
      await real(() => receiver.received.length >= calls);
      post.clock.step();
      await real(() => parcel!.attempts.length >= calls);
      await new Promise((resolve) => setImmediate(resolve));
      if (parcel!.state === 'pending') post.clock.step();
    }
    expect(starts_s(parcel!)).toEqual([0, 5, 10, 15, 20, 30]);
    for (const one of parcel!.attempts) {
      expect(one).toMatchObject({ duration_ms: 5000, status: null, error: 'no reply within 5 s' });
    }
  });

  it.each([
    ['4', 4],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7],
    ['soon', 1],
  ])('waits for Retry-After %s', async (wish, second_s) => {
    const post = await openPost();
    const receiver = await receiving((response, _, index) => {
      response.writeHead(index === 0 ? 429 : 204, { 'Retry-After': wish }).end();
    });
    const [parcel] = await post.send(receiver.url);
    expect(starts_s(await settled(post, parcel!))).toEqual([0, second_s]);
    expect(parcel!.state).toBe('delivered');
  });
});

describe('order', () => {
  it('holds on each way, and a dead end holds up nobody else', async () => {
    const post = await openPost();
    const receiver = await receiving((response, _, index) => {
      response.writeHead(index % 3 === 0 ? 500 : 200).end();
    });
    const hanging = await receiving(() => {});
    await post.send(hanging.url, 5);
    const parcels = await post.send(receiver.url, 12);
    const other = await post.send(receiver.url, 3, '2');
    // Once the retry of a parcel is due it goes before those that wait behind it.
    for (const parcel of [...parcels, ...other]) {
      while (parcel.state === 'pending') {
        post.clock.step();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
    const isDone = (parcel: Parcel) => parcel.state === 'delivered';
    expect([...parcels, ...other].every(isDone)).toBe(true);
    const heard = receiver.received.map(({ headers, text }) => [headers['webhook-id'], text]);
    const firsts = heard.filter(([id], i) => heard.findIndex(([one]) => one === id) === i);
    const mine = new Set<unknown>(parcels.map(({ message_id }) => message_id));
    const own = firsts.filter(([id]) => mine.has(id)).map(([, text]) => text);
    expect(own).toEqual(parcels.map(({ body }) => body));
  });

  it('has at most four calls out to one host', async () => {
    const post = await openPost();
    const receiver = await receiving(() => {});
    for (let run = 1; run <= 9; run++) await post.send(receiver.url, 1, String(run));
    await real(() => receiver.received.length >= 4);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(receiver.received.length).toBe(4);
  });
});

it('reads no more of a reply than is polite, however long it is', async () => {
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
  const post = await openPost();
  const [parcel] = await post.send(receiver.url);
  await settled(post, parcel!);
  expect([parcel!.state, parcel!.attempts[0]!.status]).toEqual(['delivered', 200]);
  expect(sent_bytes).toBeLessThan(16e6);
});

it('looks the address up at every attempt, and refuses one that is forbidden now', async () => {
  const receiver = await receiving((response) => response.writeHead(500).end());
  const answers = ['127.0.0.1', '169.254.169.254', '127.0.0.1', '10.0.0.1', '0.0.0.0', '::'];
  const asked: string[] = [];
  const post = await openPost(async (host) => {
    asked.push(host);
    return host === 'hooks.test' ? [answers[asked.length - 1]!] : [];
  });
  answers[3] = '224.0.0.1';
  const url = receiver.url.replace('127.0.0.1', 'hooks.test');
  const [parcel] = await post.send(url);
  await settled(post, parcel!);
  expect(asked.length).toBe(6);
  expect(parcel!.attempts.map(({ status }) => status)).toEqual([500, null, 500, null, null, null]);
  for (const i of [1, 3, 4, 5]) expect(parcel!.attempts[i]!.error).toContain('never called');
  expect(receiver.received.length).toBe(2);
  expect(receiver.received[0]!.headers.host).toContain('hooks.test');
});
