/** The receivers' kit: Standard Webhooks, hostile requests, lost and doubled deliveries. */
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from './types.ts';
import { RunEventInbox, verifyWebhook, WebhookRejected } from './webhook-receiver.ts';

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
});
