/** Finds doubles and gaps among the events of each run that a receiver of webhooks takes. */

import { isObject, shownValue } from './argument-value.ts';
import { HOOK_TYPE_NAMES } from './hooks/hook-types.ts';
import { idsOfEvents } from './message-ids.ts';
import type { HookTypeName, RunEvent } from './types.generated.ts';

/** Ids of messages that an inbox remembers; it forgets the oldest ones first. */
export const REMEMBERED_IDS = 10_000;
/** Numbers that `missing` lists at most, the lowest ones: a forged number may be a huge one. */
export const LISTED_GAPS = 1_000;

/** What a receiver does with an event. */
export interface TakenEvent {
  /** `new`: act on it. `double`: it was taken before; answer 2xx and do nothing. */
  readonly state: 'new' | 'double';
  /** True for a new event that comes after a later one of its run. */
  readonly isLate: boolean;
  /**
   * Sequence numbers before it that have not come, at most `LISTED_GAPS`. They may belong to hooks
   * that the receiver does not have; `reconcile` finds out.
   */
  readonly missing: readonly number[];
}

/** One page of the log of a run, as `GET /workflow/v1/runs/{run_id}/events?after=` answers. */
export type FetchEvents = (
  run_id: string,
  after: number,
) => Promise<{ readonly events: readonly RunEvent[]; readonly next: number | null }>;

interface RunState {
  /** Every event up to this number has been taken, or is none of this receiver. */
  complete: number;
  /** The taken ones above. */
  readonly taken: Set<number>;
  last: number;
}

/** Throws for a list with a word that is no type of hook: no event would ever be recovered. */
function checkTypes(types: readonly HookTypeName[]): void {
  const needs = `RunEventInbox needs a list of hook types; there are ${HOOK_TYPE_NAMES.join(', ')}`;
  if (!Array.isArray(types)) throw new TypeError(needs);
  const unknown = types.find((type) => !HOOK_TYPE_NAMES.includes(type));
  if (unknown !== undefined) throw new TypeError(`${needs}, not ${shownValue(unknown)}`);
}

function checkRun(run_id: unknown): void {
  if (typeof run_id === 'string' && run_id !== '') return;
  throw new TypeError(`run_id needs the id of a run as a string, not ${shownValue(run_id)}`);
}

function checkEvent(event: RunEvent): void {
  if (!isObject(event) || !isObject(event.body)) {
    throw new TypeError('an inbox takes an event, as verifyWebhook and the log of a run give it');
  }
  const { sequence, body } = event;
  if (!Number.isSafeInteger(sequence) || sequence < 1) {
    throw new TypeError(`sequence needs a whole number, at least 1, not ${shownValue(sequence)}`);
  }
  checkRun(body.run_id);
}

/**
 * The events that a receiver has taken, by run. A double is an event whose sequence number has
 * been taken, or whose message has: the number is from a header that is not signed, so that a
 * signed message may arrive again with another one.
 */
export class RunEventInbox {
  private readonly runs = new Map<string, RunState>();
  private readonly types: ReadonlySet<string>;
  /** The latest ids of messages, oldest first. */
  private readonly ids = new Set<string>();

  /** `types` are the hooks of the receiver; default all. */
  constructor(types: readonly HookTypeName[] = HOOK_TYPE_NAMES) {
    checkTypes(types);
    this.types = new Set(types);
  }

  /** Whether a message came before; remembers it. */
  private isKnown(id: string): boolean {
    if (this.ids.has(id)) return true;
    this.ids.add(id);
    if (this.ids.size > REMEMBERED_IDS) {
      const [oldest] = this.ids;
      this.ids.delete(oldest!);
    }
    return false;
  }

  private stateOf(run_id: string): RunState {
    const known = this.runs.get(run_id);
    if (known) return known;
    const made = { complete: 0, taken: new Set<number>(), last: 0 };
    this.runs.set(run_id, made);
    return made;
  }

  private settle(state: RunState): void {
    while (state.taken.delete(state.complete + 1)) state.complete += 1;
  }

  private skipTo(state: RunState, sequence: number): void {
    for (const one of state.taken) if (one <= sequence) state.taken.delete(one);
    state.complete = Math.max(state.complete, sequence);
    this.settle(state);
  }

  private gapsOf({ complete, taken }: RunState, before: number): number[] {
    const missing: number[] = [];
    for (let one = complete + 1; one < before && missing.length < LISTED_GAPS; one++) {
      if (!taken.has(one)) missing.push(one);
    }
    return missing;
  }

  /**
   * Takes an event: new or double, late or not, and what is missing before it. `id` is the id of
   * its message; it need not be given for the `event` that `verifyWebhook` returned.
   */
  take(event: RunEvent, id?: string): TakenEvent {
    checkEvent(event);
    const { sequence, body } = event;
    const message = id ?? idsOfEvents.get(event);
    const isRepeated = message !== undefined && this.isKnown(message);
    const state = this.stateOf(body.run_id);
    const isTaken = sequence <= state.complete || state.taken.has(sequence);
    if (isRepeated || isTaken) return { state: 'double', isLate: false, missing: [] };
    const isLate = sequence < state.last;
    const missing = this.gapsOf(state, sequence);
    state.taken.add(sequence);
    state.last = Math.max(state.last, sequence);
    this.settle(state);
    return { state: 'new', isLate, missing };
  }

  /**
   * The sequence numbers of a run that have not come although later ones have, or that were given
   * back; at most `LISTED_GAPS`.
   */
  missing(run_id: string): number[] {
    checkRun(run_id);
    const state = this.runs.get(run_id);
    return state ? this.gapsOf(state, state.last + 1) : [];
  }

  /**
   * Reads the log of a run from the first gap on and takes what has not come; returns those events
   * in order. What belongs to hooks that the receiver does not have is no longer missing. Rejects
   * with the error of `fetchEvents`, and takes nothing then.
   */
  async reconcile(run_id: string, fetchEvents: FetchEvents): Promise<RunEvent[]> {
    checkRun(run_id);
    const state = this.stateOf(run_id);
    const logged: RunEvent[] = [];
    const from = state.complete;
    let after: number | null = from;
    while (after !== null) {
      const page: Awaited<ReturnType<FetchEvents>> = await fetchEvents(run_id, after);
      logged.push(...page.events);
      after = page.next;
    }
    // The log of a long run has lost its oldest events.
    const [first] = logged;
    if (first && first.sequence > from + 1) this.skipTo(state, first.sequence - 1);
    const isFound = (event: RunEvent) =>
      this.take(event).state === 'new' && this.types.has(event.hook_type);
    return logged.filter(isFound);
  }

  /**
   * Gives an event back that was taken and could not be processed: it is new when it comes again,
   * and missing until then.
   */
  giveBack(event: RunEvent, id?: string): void {
    checkEvent(event);
    const { sequence, body } = event;
    const message = id ?? idsOfEvents.get(event);
    if (message !== undefined) this.ids.delete(message);
    const state = this.stateOf(body.run_id);
    for (let one = sequence + 1; one <= state.complete; one++) state.taken.add(one);
    state.complete = Math.min(state.complete, sequence - 1);
    state.taken.delete(sequence);
  }

  /** Forgets a run that has stopped. */
  forget(run_id: string): void {
    this.runs.delete(run_id);
  }
}
