/** Compares a replay with its recording and finds the first tick and field that differ. */

import { jointName } from '../../physics/arm/arm-model.ts';
import type { ChangeLine, MarkLine, OutputLine, ParsedRecording } from './recording-format.ts';
import { FIELDS, firstTickDivergence, type TickDivergence } from './tick-runs.ts';

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
