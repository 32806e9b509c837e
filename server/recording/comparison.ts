/**
 * Compares a replay with its recording and finds the first tick and field that differ. Joints are
 * compared by a fingerprint per tick, stored as runs of equal ticks.
 */
import type { Feedback } from '../../bridge/arm-driver.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import type { ChangeLine, MarkLine, OutputLine, ParsedRecording } from './recording-format.ts';

const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/** 32-bit FNV-1a over the bits of numbers. */
function fingerprint(values: Float64Array): number {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  let hash = BASIS;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    hash = Math.imul(hash ^ (word & 0xffff), PRIME);
    hash = Math.imul(hash ^ (word >>> 16), PRIME);
  }
  return hash >>> 0;
}

export class TickRuns {
  private runs: number[] = [];

  /** Records `ticks` ticks that end with this feedback, and with these states of a cell. */
  record(feedback: Feedback, ticks: number, cell: Float64Array | null = null): void {
    const joints = fingerprint(feedback.position_rad);
    const position = cell ? (joints ^ fingerprint(cell)) >>> 0 : joints;
    const velocity = fingerprint(feedback.velocity_rad_s);
    const { runs } = this;
    const last = runs.length - 3;
    if (last >= 0 && runs[last + 1] === position && runs[last + 2] === velocity) {
      runs[last] = runs[last]! + ticks;
    } else runs.push(ticks, position, velocity);
  }

  /** True while all ticks since the last `take` are equal. */
  get still(): boolean {
    return this.runs.length <= 3;
  }

  /** The runs since the last call. */
  take(): number[] {
    const { runs } = this;
    this.runs = [];
    return runs;
  }
}

/** A position in a sequence of runs. */
class RunCursor {
  readonly runs: readonly number[];
  at = 0;
  left: number;

  constructor(runs: readonly number[]) {
    this.runs = runs;
    this.left = runs[0] ?? 0;
  }

  get ended(): boolean {
    return this.at >= this.runs.length;
  }

  pass(ticks: number): void {
    this.left -= ticks;
    if (this.left > 0) return;
    this.at += 3;
    this.left = this.runs[this.at] ?? 0;
  }
}

/** Values of joints that are compared: part 1 and 2 of a run. */
const FIELDS = ['position_rad', 'velocity_rad_s'] as const;
type JointField = (typeof FIELDS)[number];

/** Where two sequences of runs differ: in ticks from their start, with both fingerprints. */
interface TickDivergence {
  readonly ticks: number;
  readonly field: JointField;
  readonly recorded: number | undefined;
  readonly replayed: number | undefined;
}

/** The first difference of two sequences of runs, or null. */
export function firstTickDivergence(
  a: readonly number[],
  b: readonly number[],
): TickDivergence | null {
  const [left, right] = [new RunCursor(a), new RunCursor(b)];
  let ticks = 0;
  while (!left.ended && !right.ended) {
    for (const [i, field] of FIELDS.entries()) {
      const [recorded, replayed] = [left.runs[left.at + i + 1], right.runs[right.at + i + 1]];
      if (recorded !== replayed) return { ticks, field, recorded, replayed };
    }
    const step = Math.min(left.left, right.left);
    ticks += step;
    left.pass(step);
    right.pass(step);
  }
  return null;
}

export interface Divergence {
  readonly tick: number;
  /** E.g. `state`, `inputs.d0`, `position_rad of J2`. */
  readonly field: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

function isMark(line: OutputLine): line is MarkLine {
  return line.kind === 'mark';
}

function isChange(line: OutputLine): line is ChangeLine {
  return line.kind === 'change';
}

function sameFields(a: ChangeLine, b: ChangeLine): boolean {
  return a.tick === b.tick && JSON.stringify(a.fields) === JSON.stringify(b.fields);
}

function changesDivergence(
  recorded: readonly ChangeLine[],
  replayed: readonly ChangeLine[],
): Divergence | null {
  const length = Math.max(recorded.length, replayed.length);
  for (let i = 0; i < length; i++) {
    const [a, b] = [recorded[i], replayed[i]];
    if (a && b && sameFields(a, b)) continue;
    const tick = Math.min(a?.tick ?? Number.POSITIVE_INFINITY, b?.tick ?? Number.POSITIVE_INFINITY);
    const [left, right] = [a?.tick === tick ? a.fields : {}, b?.tick === tick ? b.fields : {}];
    const field = Object.keys({ ...left, ...right }).find((key) => left[key] !== right[key])!;
    const unchanged = 'as before';
    return {
      tick,
      field,
      recorded: field in left ? left[field] : unchanged,
      replayed: field in right ? right[field] : unchanged,
    };
  }
  return null;
}

/** The first joint that differs at the first mark with a difference. */
function jointDivergence(
  recorded: readonly MarkLine[],
  replayed: readonly MarkLine[],
  { field, ...prints }: TickDivergence,
): Pick<Divergence, 'field' | 'recorded' | 'replayed'> {
  for (const mark of recorded) {
    const other = replayed.find(({ tick }) => tick === mark.tick);
    const joint = other ? mark[field].findIndex((value, j) => value !== other[field][j]) : -1;
    if (joint < 0) continue;
    const [a, b] = [mark[field][joint], other![field][joint]];
    return { field: `${field} of ${jointName(joint)}`, recorded: a, replayed: b };
  }
  const { recorded: was, replayed: is } = prints;
  return { field: `fingerprint of ${field}`, recorded: was, replayed: is };
}

/** Adjacent runs joined: jumps over idle ticks move the marks but not the ticks. */
interface ContiguousRuns {
  readonly from: number;
  to: number;
  readonly runs: number[];
}

function contiguousRuns(marks: readonly MarkLine[]): ContiguousRuns[] {
  const found: ContiguousRuns[] = [];
  for (const { from, tick, runs } of marks) {
    const last = found.at(-1);
    if (last?.to === from) {
      last.runs.push(...runs);
      last.to = tick;
    } else found.push({ from, to: tick, runs: [...runs] });
  }
  return found;
}

/** The first value of a mark that differs, where both have the same marks. */
function valuesDivergence(
  recorded: readonly MarkLine[],
  replayed: readonly MarkLine[],
): Divergence | null {
  if (recorded.some(({ tick }, i) => tick !== replayed[i]?.tick)) return null;
  for (const [i, mark] of recorded.entries()) {
    for (const field of FIELDS) {
      const joint = mark[field].findIndex((value, j) => value !== replayed[i]![field][j]);
      if (joint < 0) continue;
      const [was, is] = [mark[field][joint], replayed[i]![field][joint]];
      const name = `${field} of ${jointName(joint)}`;
      return { tick: mark.tick, field: name, recorded: was, replayed: is };
    }
  }
  return null;
}

function marksDivergence(
  recorded: readonly MarkLine[],
  replayed: readonly MarkLine[],
): Divergence | null {
  const others = contiguousRuns(replayed);
  for (const [i, { from, runs }] of contiguousRuns(recorded).entries()) {
    const divergence = firstTickDivergence(runs, others[i]?.runs ?? []);
    if (!divergence) continue;
    const tick = from + divergence.ticks + 1;
    const later = recorded.filter((mark) => mark.tick >= tick);
    return { tick, ...jointDivergence(later, replayed, divergence) };
  }
  return valuesDivergence(recorded, replayed);
}

/** The first difference between recording and replay; null when all bits are equal. */
export function firstDivergence(
  { outputs: recorded, isCut }: Pick<ParsedRecording, 'outputs' | 'isCut'>,
  replayed: readonly OutputLine[],
): Divergence | null {
  const known = recorded.filter(isChange);
  // The last tick of a recording that breaks off may have had more changes.
  const made = replayed.filter(isChange).slice(0, isCut ? known.length : undefined);
  const changes = changesDivergence(known, made);
  const marks = marksDivergence(recorded.filter(isMark), replayed.filter(isMark));
  if (!changes || !marks) return changes ?? marks;
  return marks.tick <= changes.tick ? marks : changes;
}
