/** The receivers' kit: Standard Webhooks, hostile requests, lost and doubled deliveries. */
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from './types.generated.ts';
import {
  checkSecrets,
  LISTED_GAPS,
  REMEMBERED_IDS,
  RunEventInbox,
  verifyWebhook,
  WebhookRejected,
} from './webhook-receiver.ts';

const SECRET = `whsec_${btoa('a secret of thirty-two bytes....')}`;
const OTHER = `whsec_${btoa('another secret of this length...')}`;
const NOW_MS = 1_800_000_000_000;

function eventOf(sequence: number, hook_type: RunEvent['hook_type'] = 'NewPlanHook'): RunEvent {
  const body = { run_id: '7', timestamp: '2026-01-01T00:00:00.000Z', remaining_worktime: 1 };
  return { sequence, hook_type, body } as RunEvent;
}

function signed(event: RunEvent, secret = SECRET, at_ms = NOW_MS) {
  const body = JSON.stringify(event.body);
  const headers: Record<string, string> = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at_ms / 1000),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(at_ms), body),
    'x-hook-type': event.hook_type,
    'x-hook-attempt': '2',
    'x-hook-sequence': String(event.sequence),
  };
  return { headers, body };
}

const options = { secrets: [SECRET], now_ms: NOW_MS };

describe('verifyWebhook', () => {
  it('accepts what another implementation has signed, also with the secret before', async () => {
    const event = eventOf(3);
    const verified = { id: 'msg_1', attempt: 2, event };
    expect(await verifyWebhook(signed(event), options)).toEqual(verified);
    const both = { ...options, secrets: [OTHER, SECRET] };
    expect(await verifyWebhook(signed(event, OTHER), both)).toEqual(verified);
    const { headers, body } = signed(event);
    const asHeaders = { headers: new Headers(headers), body };
    expect(await verifyWebhook(asHeaders, options)).toEqual(verified);
    const two = `v1,${btoa('no signature')} v2,x ${headers['webhook-signature']}`;
    const several = { headers: { ...headers, 'webhook-signature': two }, body };
    expect(await verifyWebhook(several, options)).toEqual(verified);
  });

  it('rejects changes of signed parts, foreign secrets, old and future ones', async () => {
    const good = signed(eventOf(3));
    const changed = (headers: Record<string, string | undefined>, body = good.body) => {
      return { headers: { ...good.headers, ...headers }, body };
    };
    const hostile = [
      changed({}, good.body.replace('1', '2')),
      changed({ 'webhook-id': 'msg_2' }),
      changed({ 'webhook-timestamp': String(NOW_MS / 1000 + 1) }),
      changed({ 'webhook-signature': undefined }),
      changed({ 'webhook-signature': 'v1,' }),
      changed({ 'webhook-signature': 'v1,%%%' }),
      changed({ 'x-hook-type': 'constructor' }),
      changed({ 'x-hook-sequence': '-1' }),
      changed({ 'x-hook-attempt': '' }),
      signed(eventOf(3), OTHER),
      signed(eventOf(3), SECRET, NOW_MS - 301_000),
      signed(eventOf(3), SECRET, NOW_MS + 301_000),
    ];
    for (const request of hostile) {
      await expect(verifyWebhook(request, options)).rejects.toThrow(WebhookRejected);
    }
    const text = { headers: signed(eventOf(1)).headers, body: 'no JSON' };
    const sign = new Webhook(SECRET).sign('msg_1', new Date(NOW_MS), text.body);
    text.headers['webhook-signature'] = sign;
    await expect(verifyWebhook(text, options)).rejects.toThrow('no JSON object');
  });
});

/** Arguments of another kind, as plain JavaScript or a missing variable gives them. */
const wrong = (value: unknown) => value as never;

describe('the arguments of verifyWebhook', () => {
  const old = signed(eventOf(1), SECRET, 1_500_000_000_000);

  it('are checked, so that no wrong one turns the check of the age off', async () => {
    const cases = [
      [{ now_ms: wrong(undefined) }, 'now_ms needs the time in ms, as Date.now() gives it'],
      [{ now_ms: Number.NaN }, 'not NaN'],
      [{ now_ms: wrong(String(NOW_MS)) }, `not the string "${NOW_MS}"`],
      [{ now_ms: Number.POSITIVE_INFINITY }, 'now_ms needs'],
      [{ now_ms: wrong(new Date(NOW_MS)) }, 'now_ms needs'],
      [{ tolerance_s: Number.NaN }, 'tolerance_s needs a number of seconds, at least 0, not NaN'],
      [{ tolerance_s: -1 }, 'not -1'],
      [{ tolerance_s: Number.POSITIVE_INFINITY }, 'not Infinity'],
      [{ tolerance_s: wrong('x') }, 'not the string "x"'],
      [{ tolerance_s: wrong('300') }, 'not the string "300"'],
      [{ tolerance_s: wrong(null) }, 'not null'],
    ] as const;
    for (const [given, message] of cases) {
      const verified = verifyWebhook(old, { ...options, ...given });
      const error = await verified.catch((cause: unknown) => cause);
      expect(error, message).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(message);
    }
    await expect(verifyWebhook(old, wrong(undefined))).rejects.toThrow('{ secrets, now_ms }');
    for (const request of [undefined, null, 'x', { body: '' }, { headers: null, body: '' }]) {
      await expect(verifyWebhook(wrong(request), options)).rejects.toThrow('{ headers, body }');
    }
    const { headers } = signed(eventOf(1));
    for (const body of [{ run_id: '7' }, undefined, null, 5]) {
      const parsed = verifyWebhook({ headers, body: wrong(body) }, options);
      await expect(parsed).rejects.toThrow('as they arrived, not parsed');
    }
  });

  it('name the secret that cannot be used, and show none', async () => {
    const good = signed(eventOf(3));
    const cases = [
      [SECRET, 'secrets needs a list of signing secrets'],
      [undefined, 'secrets needs a list'],
      [[], 'secrets needs at least one'],
      [['hello!!', SECRET], 'secrets[0] does not begin with whsec_'],
      [[SECRET, 'whsec_%%'], 'secrets[1] has something other than base64'],
      [[SECRET, OTHER, 'whsec_'], 'secrets[2] has nothing after whsec_'],
      [[SECRET, undefined], 'secrets[1] is not a string'],
    ] as const;
    for (const [secrets, message] of cases) {
      expect(() => checkSecrets(wrong(secrets))).toThrow(message);
      const verified = verifyWebhook(good, { ...options, secrets: wrong(secrets) });
      const error = await verified.catch((cause: unknown) => cause);
      expect(error, message).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(message);
      expect(String(error)).not.toContain('hello');
    }
    checkSecrets([SECRET, OTHER]);
  });

  it('may be headers with capitals or as lists, and a body in bytes', async () => {
    const event = { ...eventOf(3), body: { ...eventOf(3).body, run_id: 'é\uFEFF' } } as RunEvent;
    const { headers, body } = signed(event);
    const entries = Object.entries(headers);
    const capitals = entries.map(([name, value]) => [name.toUpperCase(), value] as const);
    const lists = entries.map(([name, value]) => [name, [value]] as const);
    for (const list of [capitals, lists]) {
      const request = { headers: Object.fromEntries<string | readonly string[]>(list), body };
      expect((await verifyWebhook(request, options)).event).toEqual(event);
    }
    const bytes = { headers, body: new TextEncoder().encode(body) };
    expect((await verifyWebhook(bytes, options)).event).toEqual(event);
    const ambiguous = { headers: { ...headers, 'webhook-id': ['msg_1', 'msg_2'] }, body };
    await expect(verifyWebhook(ambiguous, options)).rejects.toThrow('webhook-id is missing');
  });

  it('may have a malformed signature beside a good one', async () => {
    const { headers, body } = signed(eventOf(3));
    const two = { ...headers, 'webhook-signature': `v1,%%% ${headers['webhook-signature']}` };
    expect((await verifyWebhook({ headers: two, body }, options)).id).toBe('msg_1');
  });
});

/** The log of a run, in pages of 10 from its first kept event on. */
function logOf(events: readonly RunEvent[]) {
  return async (_run_id: string, after: number) => {
    const rest = events.filter(({ sequence }) => sequence > after);
    const shown = rest.slice(0, 10);
    return { events: shown, next: rest.length > 10 ? shown.at(-1)!.sequence : null };
  };
}

describe('RunEventInbox', () => {
  it('takes each event once, whatever is lost, doubled or out of order', async () => {
    const delivery = fc.record({
      lost: fc.boolean(),
      copies: fc.integer({ min: 1, max: 3 }),
      at: fc.double({ min: 0, max: 3, noNaN: true }),
    });
    const run = async (fates: readonly { lost: boolean; copies: number; at: number }[]) => {
      const events = fates.map((_, i) => eventOf(i + 1));
      const arriving = fates
        .flatMap(({ lost, copies, at }, i) =>
          lost ? [] : Array.from({ length: copies }, (_, c) => ({ i, at: i + at + 2 * c })),
        )
        .sort((a, b) => a.at - b.at);
      const inbox = new RunEventInbox();
      const taken = arriving.map(({ i }) => ({ i, ...inbox.take(events[i]!) }));
      const fresh = taken.filter(({ state }) => state === 'new').map(({ i }) => i + 1);
      const came = events.filter((_, i) => !fates[i]!.lost).map(({ sequence }) => sequence);
      expect([...fresh].sort((a, b) => a - b)).toEqual(came);
      taken.forEach(({ i, state, isLate }, at) => {
        const before = taken.slice(0, at).map((one) => one.i);
        expect(state === 'double').toBe(before.includes(i));
        expect(isLate).toBe(state === 'new' && before.some((one) => one > i));
      });
      const last = Math.max(0, ...came);
      const lost = events.slice(0, last).filter((_, i) => fates[i]!.lost);
      expect(inbox.missing('7')).toEqual(lost.map(({ sequence }) => sequence));
      const recovered = await inbox.reconcile('7', logOf(events));
      expect(recovered).toEqual(events.filter((_, i) => fates[i]!.lost));
      expect(inbox.missing('7')).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(fc.array(delivery, { maxLength: 40 }), run), { numRuns: 200 });
  });

  it('recovers only what its hooks are for, also from a log without its beginning', async () => {
    const events = [21, 22, 23, 24].map((sequence) =>
      eventOf(sequence, sequence % 2 === 0 ? 'NewPlanHook' : 'RunStateChangeHook'),
    );
    const inbox = new RunEventInbox(['NewPlanHook']);
    expect(inbox.take(events[3]!)).toMatchObject({ state: 'new', isLate: false });
    expect(inbox.missing('7')).toHaveLength(23);
    expect(await inbox.reconcile('7', logOf(events))).toEqual([events[1]]);
    expect(inbox.missing('7')).toEqual([]);
    inbox.forget('7');
    expect(inbox.take(events[3]!).state).toBe('new');
  });

  it('takes an event again that was given back, also below the last gap', () => {
    const inbox = new RunEventInbox();
    const [first, second, third] = [1, 2, 3].map((sequence) => eventOf(sequence)) as [
      RunEvent,
      RunEvent,
      RunEvent,
    ];
    for (const event of [first, second, third]) inbox.take(event, `m${event.sequence}`);
    inbox.giveBack(second, 'm2');
    expect(inbox.missing('7')).toEqual([2]);
    expect(inbox.take(first, 'm1').state).toBe('double');
    expect(inbox.take(third, 'm3').state).toBe('double');
    expect(inbox.take(second, 'm2').state).toBe('new');
    inbox.giveBack(third, 'm3');
    expect(inbox.missing('7')).toEqual([3]);
    expect(inbox.take(third, 'm3')).toMatchObject({ state: 'new', missing: [] });
    expect(inbox.missing('7')).toEqual([]);
  });

  it('takes an event again that was given back behind a gap', () => {
    const inbox = new RunEventInbox();
    const third = eventOf(3);
    inbox.take(third, 'm3');
    inbox.giveBack(third, 'm3');
    expect(inbox.missing('7')).toEqual([1, 2, 3]);
    expect(inbox.take(third, 'm3')).toMatchObject({ state: 'new', missing: [1, 2] });
  });

  it('takes nothing from a log that cannot be read to its end', async () => {
    const events = [1, 2, 3].map((sequence) => eventOf(sequence));
    const inbox = new RunEventInbox();
    inbox.take(events[2]!);
    const broken = async (_run: string, after: number) => {
      if (after > 0) throw new Error('gone');
      return { events: events.slice(0, 1), next: 1 };
    };
    await expect(inbox.reconcile('7', broken)).rejects.toThrow('gone');
    expect(await inbox.reconcile('7', logOf(events))).toEqual(events.slice(0, 2));
  });

  it('takes a signed message once, whatever the headers say that are not signed', async () => {
    const { headers, body } = signed(eventOf(3));
    const sent = async (sequence: number) => {
      const request = { headers: { ...headers, 'x-hook-sequence': String(sequence) }, body };
      return (await verifyWebhook(request, options)).event;
    };
    const inbox = new RunEventInbox();
    expect(inbox.take(await sent(3)).state).toBe('new');
    for (const sequence of [1, 2, 4, 9]) {
      const double = { state: 'double', isLate: false, missing: [] };
      expect(inbox.take(await sent(sequence))).toEqual(double);
    }
    // What a queue has copied is no longer the event that was verified.
    expect(inbox.take({ ...(await sent(5)) }, 'msg_1').state).toBe('double');
    inbox.forget('7');
    expect(inbox.take(await sent(3)).state).toBe('double');
    expect(inbox.take({ ...(await sent(3)) }, 'msg_2').state).toBe('new');
    const zero = { headers: { ...headers, 'x-hook-sequence': '0' }, body };
    await expect(verifyWebhook(zero, options)).rejects.toThrow(WebhookRejected);
  });

  it('stays small: it forgets the oldest messages, and lists the lowest gaps', () => {
    const inbox = new RunEventInbox();
    for (let i = 0; i <= REMEMBERED_IDS; i++) inbox.take(eventOf(i + 1), `msg_${i}`);
    const next = eventOf(REMEMBERED_IDS + 2);
    expect(inbox.take(next, 'msg_1').state).toBe('double');
    expect(inbox.take(next, 'msg_0').state).toBe('new');
    const forged = inbox.take(eventOf(Number.MAX_SAFE_INTEGER));
    expect(forged.missing).toHaveLength(LISTED_GAPS);
    expect(inbox.missing('7')).toEqual(forged.missing);
  });

  it('refuses what is no event, no run and no type of hook', async () => {
    const inbox = new RunEventInbox();
    for (const sequence of [-1, 0, 1.5, '1', Number.NaN, undefined]) {
      const event = { ...eventOf(1), sequence } as RunEvent;
      expect(() => inbox.take(event), String(sequence)).toThrow('sequence needs a whole number');
    }
    for (const event of [null, undefined, {}, 'x', { sequence: 1, body: null }]) {
      expect(() => inbox.take(wrong(event))).toThrow('an inbox takes an event');
    }
    expect(() => inbox.take(wrong({ sequence: 1, body: { run_id: 7 } }))).toThrow('run_id needs');
    expect(() => inbox.missing(wrong(7))).toThrow('run_id needs the id of a run as a string');
    await expect(inbox.reconcile(wrong(7), logOf([]))).rejects.toThrow('run_id needs');
    for (const types of [['NoHook'], 'NewPlanHook', [7], null]) {
      expect(() => new RunEventInbox(wrong(types))).toThrow('there are RunStateChangeHook, Task');
    }
  });
});
