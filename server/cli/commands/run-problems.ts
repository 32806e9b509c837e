/** Judges a run: what it did that it should not have done, in sentences. */
import type { CellPathCheck, RehearsalExpectations } from '../../../contract/types.generated.ts';
import { contactText, seconds, timeText } from './happening-text.ts';
import type { RehearsedContact, RehearsedEvent, RehearsedRun } from './rehearsed-run.ts';
import { missingSignal, type SignalChange } from './signal-watch.ts';

/** Something that should not have happened. */
export interface RunProblem {
  readonly text: string;
  /** When it arose (s of the run). */
  readonly at_s: number;
}

/** What no run should do, unless the file of expectations says where objects are. */
export const MISHAPS: readonly string[] = [
  'missed',
  'dropped',
  'slipped',
  'slid',
  'fell_off',
  'tipped',
  'jammed',
];

/** Their texts have forces that differ each time: what slips again is the same mishap. */
export const SLIDES: readonly string[] = ['slipped', 'slid'];

/**
 * Mishaps in sentences. What happens again without a grasp of the object between, such as a slip
 * that sticks and goes on, is one problem with its count and the time of the first and the last.
 */
export function mishapProblems(events: readonly RehearsedEvent[]): RunProblem[] {
  const all: { readonly first: RehearsedEvent; text: string; readonly times_s: number[] }[] = [];
  const open = new Map<string, (typeof all)[number]>();
  for (const event of events) {
    const { kind, object, by, text, at_s } = event;
    if (kind === 'grasped') {
      for (const key of open.keys()) if (key.startsWith(`${object}\n`)) open.delete(key);
    }
    if (!MISHAPS.includes(kind)) continue;
    const key = `${object}\n${SLIDES.includes(kind) ? `${kind} ${by}` : text}`;
    const known = open.get(key);
    if (known) {
      known.times_s.push(at_s);
      // The last sentence about a slide says how far it went in all.
      if (kind === 'slid') known.text = text;
      continue;
    }
    const mishap = { first: event, text, times_s: [at_s] };
    open.set(key, mishap);
    all.push(mishap);
  }
  return all.map(({ first: { kind, at_s, step }, text, times_s }) => {
    const last_s = times_s.at(-1)!;
    const when = timeText(at_s, step);
    if (times_s.length === 1) return { at_s, text: `${text} at ${when}` };
    // A slide has an event when it begins and one when it is over.
    const often = kind === 'slid' ? '' : `${times_s.length} times `;
    return { at_s, text: `${text}; ${often}from ${when} to ${seconds(last_s)}` };
  });
}

/** What the arm was stopped by: the strongest contact that lasted until then; null without one. */
export function contactAtStop(
  contacts: readonly RehearsedContact[],
  stopped_s: number,
): RehearsedContact | null {
  const lasting = contacts.filter(
    ({ at_s, ended_s }) => at_s <= stopped_s && (ended_s === null || ended_s >= stopped_s),
  );
  return lasting.toSorted((a, b) => b.peak_force_n - a.peak_force_n)[0] ?? null;
}

/**
 * What the path meets by its plan. An object is no problem: it may be pushed on purpose, and the
 * run shows what comes of it.
 */
export function pathProblems(check: CellPathCheck | null): RunProblem[] {
  const found = check?.findings.filter(({ kind }) => kind !== 'object') ?? [];
  return found.map(({ path, problem, time_s }) => ({ text: `${path}: ${problem}`, at_s: time_s }));
}

/** What is wrong with a run apart from the places of objects. */
export function runProblems(
  { duration_s, events, contacts }: Pick<RehearsedRun, 'duration_s' | 'events' | 'contacts'>,
  expected: RehearsalExpectations,
  seen: readonly SignalChange[],
): RunProblem[] {
  const { objects, max_duration_s = Number.POSITIVE_INFINITY, signals = [] } = expected;
  const problems: RunProblem[] = [];
  if (!objects) {
    problems.push(...mishapProblems(events));
  }
  if (duration_s > max_duration_s) {
    const text = `the run took ${seconds(duration_s)}, more than ${max_duration_s} s`;
    problems.push({ text, at_s: max_duration_s });
  }
  const most = expected.max_contact_force_n ?? Number.POSITIVE_INFINITY;
  for (const contact of contacts) {
    if (contact.peak_force_n <= most) continue;
    problems.push({ text: `${contactText(contact)}: more than ${most} N`, at_s: contact.at_s });
  }
  const missing = missingSignal(signals, seen);
  if (missing !== null) {
    const text = `${missing} did not follow in the expected order`;
    problems.push({ text, at_s: duration_s });
  }
  return problems;
}
