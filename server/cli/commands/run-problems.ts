/** Judges a run: what it did that it should not have done, in sentences. */
import type { CellEvent, RehearsalExpectations } from '../../../contract/types.generated.ts';
import type { RehearsedRun } from './rehearsed-run.ts';
import { missingSignal, type SignalChange } from './signal-watch.ts';

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
const SLIDES: readonly string[] = ['slipped', 'slid'];

export const seconds = (time_s: number) => `${time_s.toFixed(2)} s`;

/**
 * Mishaps in sentences. What happens again without a grasp of the object between, such as a slip
 * that sticks and goes on, is one problem with its count and the time of the first and the last.
 */
export function mishapProblems(events: readonly CellEvent[]): string[] {
  const all: { readonly text: string; readonly times_s: number[] }[] = [];
  const open = new Map<string, (typeof all)[number]>();
  for (const { kind, object, by, text, at_s } of events) {
    if (kind === 'grasped') {
      for (const key of open.keys()) if (key.startsWith(`${object}\n`)) open.delete(key);
    }
    if (!MISHAPS.includes(kind)) continue;
    const key = `${object}\n${SLIDES.includes(kind) ? `${kind} ${by}` : text}`;
    const known = open.get(key);
    if (known) {
      known.times_s.push(at_s);
      continue;
    }
    const mishap = { text, times_s: [at_s] };
    open.set(key, mishap);
    all.push(mishap);
  }
  return all.map(({ text, times_s: [first = 0, ...later] }) => {
    const last = later.at(-1);
    const span = `${later.length + 1} times from ${seconds(first)} to ${seconds(last ?? first)}`;
    return last === undefined ? `${text} at ${seconds(first)}` : `${text}; ${span}`;
  });
}

/** What is wrong with a run apart from the places of objects. */
export function runProblems(
  { duration_s, events, contacts }: Omit<RehearsedRun, 'problems'>,
  expected: RehearsalExpectations,
  seen: readonly SignalChange[],
): string[] {
  const { objects, max_duration_s = Number.POSITIVE_INFINITY, signals = [] } = expected;
  const problems: string[] = [];
  if (!objects) {
    problems.push(...mishapProblems(events));
  }
  if (duration_s > max_duration_s) {
    problems.push(`the run took ${seconds(duration_s)}, more than ${max_duration_s} s`);
  }
  const most = expected.max_contact_force_n ?? Number.POSITIVE_INFINITY;
  for (const { body, obstacle, peak_force_n, at_s } of contacts) {
    if (peak_force_n <= most) continue;
    const force = `${peak_force_n.toFixed(1)} N, more than ${most} N`;
    problems.push(`${body} touched ${obstacle} with ${force}, at ${seconds(at_s)}`);
  }
  const missing = missingSignal(signals, seen);
  if (missing !== null) problems.push(`${missing} did not follow in the expected order`);
  return problems;
}
