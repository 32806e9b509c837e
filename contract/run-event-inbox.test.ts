/** Events that are lost, doubled, late or given back, as a receiver's inbox takes them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LISTED_GAPS, REMEMBERED_IDS, RunEventInbox } from './run-event-inbox.ts';
import { eventOf, options, signed, wrong } from './signed-event.cases.ts';
import type { RunEvent } from './types.generated.ts';
import { verifyWebhook, WebhookRejected } from './webhook-receiver.ts';

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
