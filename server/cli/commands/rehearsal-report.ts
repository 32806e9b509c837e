/** The report of a rehearsal: as text, as test cases, and beside the recording of its page. */

import type { RecordingReport } from '../../../contract/export-document.ts';
import type { CellEvent, CellPathCheck } from '../../../contract/types.generated.ts';
import type { Realism } from '../../../physics/arm/arm-model.ts';
import { millimetres } from '../../../physics/cell/millimetres.ts';
import type { SimulatedDriver } from '../config.ts';
import { printable } from '../printable.ts';
import { contactText, seconds, timeText } from './happening-text.ts';
import type { JunitCase } from './junit.ts';
import { differenceText, type PlantDifference, strongestContacts } from './plant-differences.ts';
import type { RehearsedEvent, RehearsedRun } from './rehearsed-run.ts';
import { shareInterval } from './share-interval.ts';

/** A variation and what it did. */
export interface Variation {
  /** Number from 1, as printed. */
  readonly number: number;
  readonly report: RehearsedRun;
}

/** What a toolpath did on one plant. */
export interface PlantRehearsal {
  readonly name: string;
  readonly driver: SimulatedDriver;
  readonly realism: Realism;
  /** What the path meets in the cell as described, by its plan. */
  readonly check: CellPathCheck | null;
  readonly report: RehearsedRun;
  readonly variations: readonly Variation[];
}

/** What a toolpath did on a plant, and how the other plant differs. */
export interface ToolpathRehearsal extends PlantRehearsal {
  /** Empty where the plants agree, and where only one of them ran. */
  readonly differences: readonly PlantDifference[];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
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
const TOLD: readonly CellEvent['kind'][] = ['missed', 'dropped', 'carried', 'fell_off', 'tipped'];
/** What comes to rest this much lower than a gripper let it go has fallen, and is not placed (m). */
const PLACED_FALL_M = 0.05;

/** An object that came to rest, and how far it fell since a gripper let it go (m). */
type Rest = RehearsedEvent & { readonly fall_m: number };

/** Events as a list: what they name, when and in which step; mishaps with their reasons. */
function listOf(events: readonly (RehearsedEvent & Partial<Rest>)[]): string {
  const texts = events.map(({ kind, object, at, at_s, step, text, fall_m = 0 }) => {
    const where = at === null ? '' : ` at ${at}`;
    const fall = fall_m < PLACED_FALL_M ? '' : ` after a fall of ${millimetres(fall_m, 0)}`;
    const what = TOLD.includes(kind) ? text : `${object}${where}${fall}`;
    return `${what} (${timeText(at_s, step)})`;
  });
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

/**
 * Where objects came to rest: those that a gripper put down, and of each of the others, which
 * something pushed or carried along, which fell, or which was dropped, the last time.
 */
export function restsOf(events: readonly RehearsedEvent[]) {
  const placed: Rest[] = [];
  const moved = new Map<string | null, Rest>();
  /** Objects that a gripper let go, with the event. */
  const letGo = new Map<string | null, RehearsedEvent>();
  for (const event of events) {
    const { kind, object, position } = event;
    // What is carried is put down with what carries it.
    if (kind === 'released' || kind === 'carried') letGo.set(object, event);
    else if (kind === 'grasped' || kind === 'dropped' || kind === 'fell_off') letGo.delete(object);
    else if (kind === 'settled' || kind === 'tipped') {
      const last = letGo.get(object);
      letGo.delete(object);
      const fall_m = last?.kind === 'released' ? last.position.z - position.z : 0;
      const isPlaced = last && kind === 'settled' && fall_m < PLACED_FALL_M;
      if (isPlaced) placed.push({ ...event, fall_m });
      else moved.set(object, { ...event, fall_m });
    }
  }
  return { placed, moved: [...moved.values()] };
}

function touchesOf(report: RehearsedRun): string {
  const texts = [...strongestContacts(report).values()].map(contactText);
  return texts.length === 0 ? 'nothing' : texts.join('; ');
}

/** What the path was checked against before it ran. */
function checkedText(check: CellPathCheck | null): string {
  if (!check) return 'nothing';
  return check.problem === null ? check.checked_against.join(', ') : `nothing: ${check.problem}`;
}

/** Objects that the path meets by its plan, in sentences. */
function metObjects(check: CellPathCheck | null): string[] {
  const found = check?.findings.filter(({ kind }) => kind === 'object') ?? [];
  return found.map(({ path, problem }) => `${path}: ${problem}`);
}

/** What was rehearsed and what happened, as names with their values. */
function factsOf(
  { realism, check, report }: PlantRehearsal,
  plants: string,
): readonly (readonly [name: string, value: string])[] {
  const { events } = report;
  const { placed, moved } = restsOf(events);
  const own = (wanted: CellEvent['kind']) => events.filter(({ kind }) => kind === wanted);
  const carried = own('carried');
  const lost = events.filter(({ kind }) => kind === 'dropped' || kind === 'fell_off');
  return [
    ['plant', `${plants}, realism ${realism}`],
    ['checked', checkedText(check)],
    ['picked', listOf(own('grasped'))],
    ...(carried.length > 0 ? [['carried', listOf(carried)] as const] : []),
    ['placed', listOf(placed)],
    ['moved', listOf(moved)],
    ['touched', touchesOf(report)],
    ['missed', listOf(own('missed'))],
    ['dropped', listOf(lost)],
  ];
}

function verdictOf({ problems, duration_s }: RehearsedRun): string {
  return `${problems.length === 0 ? 'as expected' : 'not as expected'}, ${seconds(duration_s)}`;
}

/** Differences that are listed; the others are counted. */
const LISTED_MAX = 10;

/** How the plants differ, as lines. */
function differenceLines(differences: readonly PlantDifference[]): string[] {
  const others = differences.length - LISTED_MAX;
  return [
    ...differences.slice(0, LISTED_MAX).map((one) => `the plants differ: ${differenceText(one)}`),
    ...(others > 0 ? [`the plants differ in ${others} more things`] : []),
  ];
}

/** A rehearsal of one toolpath as text: one block where its plants agree, else one of each. */
export function textOf(done: readonly ToolpathRehearsal[]): string {
  const [first, ...others] = done;
  if (!first) return '';
  const { differences } = first;
  const agreeing = `${done.map(({ driver }) => driver).join(' and ')}${others.length > 0 ? ' agree' : ''}`;
  const blocks =
    differences.length === 0
      ? blockOf(first, agreeing)
      : done.flatMap((each) => blockOf(each, each.driver));
  const lines = [...blocks, ...differenceLines(differences).map((line) => `  ${line}`)];
  return `${lines.map(printable).join('\n')}\n`;
}

function blockOf(rehearsal: PlantRehearsal, plants: string): string[] {
  const { name, check, report, variations } = rehearsal;
  const lines = [
    `${name}: ${verdictOf(report)}`,
    ...factsOf(rehearsal, plants).map(([fact, value]) => `  ${fact.padEnd(8)} ${value}`),
    ...report.problems.map((problem) => `  problem: ${problem}`),
    ...metObjects(check).map((text) => `  finding: ${text}`),
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
  return lines;
}

/** What the page of a run says beside its recording. */
export function reportOf(
  { differences, ...rehearsal }: ToolpathRehearsal,
  planned: string,
): RecordingReport {
  const { check, report, driver } = rehearsal;
  return {
    verdict: verdictOf(report),
    facts: factsOf(rehearsal, driver).map(([name, value]) => [capital(name), value]),
    findings: [...report.problems, ...metObjects(check), ...differenceLines(differences)],
    planned,
  };
}

/** Test cases of a plant: the run as described, and the share of the variations. */
function plantCases(
  { name, driver, report, variations, differences }: ToolpathRehearsal,
  { min_share, isOne }: { readonly min_share: number; readonly isOne: boolean },
): JunitCase[] {
  const on = isOne ? '' : ` on ${driver}`;
  const reason = report.problems.join('; ');
  const outcome = reason === '' ? 'held' : 'broken';
  const output = differenceLines(differences).join('\n');
  const { duration_s: time_s } = report;
  const title = `as described${on}`;
  const cases: JunitCase[] = [{ group: name, title, outcome, reason, time_s, output }];
  const worst = worstOf(variations);
  if (!worst) return cases;
  const count = variations.filter(works).length;
  const isEnough = count >= min_share * variations.length;
  const text = `worst: variation ${worst.number}: ${worst.report.problems.join('; ')}`;
  const sum = `${count} of ${variations.length} variations work${on}, at least ${percent(min_share)}`;
  const share = isEnough ? ({ outcome: 'held', reason: '' } as const) : null;
  const all_s = variations.reduce((total_s, each) => total_s + each.report.duration_s, 0);
  const own = { group: name, title: sum, time_s: all_s };
  return [...cases, { ...own, ...(share ?? { outcome: 'broken', reason: text }) }];
}

/** Test cases of a toolpath, plant by plant. */
export function casesOf(done: readonly ToolpathRehearsal[], min_share: number): JunitCase[] {
  const isOne = done.length === 1;
  return done.flatMap((each) => plantCases(each, { min_share, isOne }));
}
