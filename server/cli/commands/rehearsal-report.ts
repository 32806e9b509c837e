/** The report of a rehearsal: as text, and as test cases. */

import type { CellEvent } from '../../../contract/types.generated.ts';
import type { Realism } from '../../../physics/arm/arm-model.ts';
import { printable } from '../printable.ts';
import type { JunitCase } from './junit.ts';
import type { RehearseFlags } from './rehearse-flags.ts';
import type { RehearsedRun } from './rehearsed-run.ts';
import { shareInterval } from './share-interval.ts';

/** A variation and what it did. */
export interface Variation {
  /** Number from 1, as printed. */
  readonly number: number;
  readonly report: RehearsedRun;
}

/** What a toolpath did. */
export interface ToolpathRehearsal {
  readonly name: string;
  readonly driver: RehearseFlags['driver'];
  readonly realism: Realism;
  readonly report: RehearsedRun;
  readonly variations: readonly Variation[];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const works = ({ report }: Variation) => report.problems.length === 0;

/** The worst variation: with the most problems, and of these the longest; null without one. */
function worstOf(variations: readonly Variation[]): Variation | null {
  const sorted = variations.toSorted(
    ({ report: a }, { report: b }) =>
      b.problems.length - a.problems.length || b.duration_s - a.duration_s,
  );
  return sorted[0] ?? null;
}

/** Events that a list tells by their sentences. */
const TOLD: readonly CellEvent['kind'][] = ['missed', 'dropped', 'carried', 'fell_off'];

/** Events as a list: what they name, where and when; mishaps with their reasons. */
function listOf(events: readonly CellEvent[]): string {
  const texts = events.map(({ kind, object, at, at_s, text }) => {
    const what = TOLD.includes(kind) ? text : `${object}${at ? ` at ${at}` : ''}`;
    return `${what} (${at_s.toFixed(2)} s)`;
  });
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

/**
 * Where objects came to rest: those that a gripper released before, and of each of the others,
 * which something pushed or carried along or which was dropped, the last time.
 */
export function restsOf(events: readonly CellEvent[]) {
  const placed: CellEvent[] = [];
  const moved = new Map<string | null, CellEvent>();
  const isLetGo = new Set<string | null>();
  for (const event of events) {
    const { kind, object } = event;
    // What is carried is put down with what carries it.
    if (kind === 'released' || kind === 'carried') isLetGo.add(object);
    else if (kind === 'grasped' || kind === 'dropped' || kind === 'fell_off')
      isLetGo.delete(object);
    else if (kind !== 'settled' && kind !== 'tipped') continue;
    // One that fell over after a gripper released it is among the problems.
    else if (!isLetGo.delete(object)) moved.set(object, event);
    else if (kind === 'settled') placed.push(event);
  }
  return { placed, moved: [...moved.values()] };
}

function touchesOf({ contacts }: RehearsedRun): string {
  const most = new Map<string, number>();
  for (const { body, obstacle, peak_force_n } of contacts) {
    const pair = `${body} and ${obstacle}`;
    most.set(pair, Math.max(most.get(pair) ?? 0, peak_force_n));
  }
  const texts = [...most].map(([pair, force]) => `${pair} with up to ${force.toFixed(1)} N`);
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

export function textOf({ name, driver, realism, report, variations }: ToolpathRehearsal): string {
  const { duration_s, events, problems } = report;
  const verdict = problems.length === 0 ? 'as expected' : 'not as expected';
  const { placed, moved } = restsOf(events);
  const own = (wanted: CellEvent['kind']) => events.filter(({ kind }) => kind === wanted);
  const carried = own('carried');
  const lost = events.filter(({ kind }) => kind === 'dropped' || kind === 'fell_off');
  const lines = [
    `${name}: ${verdict}, ${duration_s.toFixed(2)} s`,
    `  plant    ${driver}, realism ${realism}`,
    `  picked   ${listOf(own('grasped'))}`,
    ...(carried.length > 0 ? [`  carried  ${listOf(carried)}`] : []),
    `  placed   ${listOf(placed)}`,
    `  moved    ${listOf(moved)}`,
    `  touched  ${touchesOf(report)}`,
    `  missed   ${listOf(own('missed'))}`,
    `  dropped  ${listOf(lost)}`,
    ...problems.map((problem) => `  problem: ${problem}`),
  ];
  const worst = worstOf(variations);
  if (worst) {
    const count = variations.filter(works).length;
    const [low, high] = shareInterval(count, variations.length).map(percent);
    const share = `${percent(count / variations.length)}, 95 % interval ${low} to ${high}`;
    const { problems: worse, duration_s: longest_s } = worst.report;
    const reason = worse.length > 0 ? worse.join('; ') : `${longest_s.toFixed(2)} s`;
    lines.push(`  ${count} of ${variations.length} variations worked (${share})`);
    lines.push(`  worst: variation ${worst.number}: ${reason}`);
  }
  return `${lines.map(printable).join('\n')}\n`;
}

/** Test cases: the run as described, and the share of the variations. */
export function casesOf(
  { name, report, variations }: ToolpathRehearsal,
  min_share: number,
): JunitCase[] {
  const reason = report.problems.join('; ');
  const outcome = reason === '' ? 'held' : 'broken';
  const { duration_s: time_s } = report;
  const cases: JunitCase[] = [{ group: name, title: 'as described', outcome, reason, time_s }];
  const worst = worstOf(variations);
  if (!worst) return cases;
  const count = variations.filter(works).length;
  const isEnough = count >= min_share * variations.length;
  const text = `worst: variation ${worst.number}: ${worst.report.problems.join('; ')}`;
  const title = `${count} of ${variations.length} variations work, at least ${percent(min_share)}`;
  const share = isEnough ? ({ outcome: 'held', reason: '' } as const) : null;
  const all_s = variations.reduce((sum, { report: { duration_s } }) => sum + duration_s, 0);
  const own = { group: name, title, time_s: all_s };
  return [...cases, { ...own, ...(share ?? { outcome: 'broken', reason: text }) }];
}
