/** Holds what a repetition gave against its tape, and names the first tick and field that part. */
import type { ChangeLine, MarkLine, OutputLine } from './tape.ts';
import { firstParting } from './tick-runs.ts';

export interface Parting {
  readonly tick: number;
  /** E.g. `state`, `inputs.d0`, `position_rad of joint 2`. */
  readonly field: string;
  readonly recorded: unknown;
  readonly repeated: unknown;
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

function partingOfChanges(
  recorded: readonly ChangeLine[],
  repeated: readonly ChangeLine[],
): Parting | null {
  const length = Math.max(recorded.length, repeated.length);
  for (let i = 0; i < length; i++) {
    const [a, b] = [recorded[i], repeated[i]];
    if (a && b && sameFields(a, b)) continue;
    const tick = Math.min(a?.tick ?? Number.POSITIVE_INFINITY, b?.tick ?? Number.POSITIVE_INFINITY);
    const [left, right] = [a?.tick === tick ? a.fields : {}, b?.tick === tick ? b.fields : {}];
    const field = Object.keys({ ...left, ...right }).find((key) => left[key] !== right[key])!;
    const unchanged = 'as before';
    return {
      tick,
      field,
      recorded: field in left ? left[field] : unchanged,
      repeated: field in right ? right[field] : unchanged,
    };
  }
  return null;
}

/** The first joint whose number differs at the first mark where one does. */
function jointOf(
  recorded: readonly MarkLine[],
  repeated: readonly MarkLine[],
  field: 'position_rad' | 'velocity_rad_s',
): Pick<Parting, 'field' | 'recorded' | 'repeated'> {
  for (const mark of recorded) {
    const other = repeated.find(({ tick }) => tick === mark.tick);
    const joint = other ? mark[field].findIndex((value, j) => value !== other[field][j]) : -1;
    if (joint < 0) continue;
    const [a, b] = [mark[field][joint], other![field][joint]];
    return { field: `${field} of joint ${joint}`, recorded: a, repeated: b };
  }
  return { field, recorded: 'other bits', repeated: 'other bits' };
}

/** Runs without a gap: jumps over idle time put the marks elsewhere, the ticks are the same. */
interface Stretch {
  readonly from: number;
  to: number;
  readonly runs: number[];
}

function stretches(marks: readonly MarkLine[]): Stretch[] {
  const found: Stretch[] = [];
  for (const { from, tick, runs } of marks) {
    const last = found.at(-1);
    if (last?.to === from) {
      last.runs.push(...runs);
      last.to = tick;
    } else found.push({ from, to: tick, runs: [...runs] });
  }
  return found;
}

function partingOfMarks(
  recorded: readonly MarkLine[],
  repeated: readonly MarkLine[],
): Parting | null {
  const others = stretches(repeated);
  for (const [i, { from, runs }] of stretches(recorded).entries()) {
    const parting = firstParting(runs, others[i]?.runs ?? []);
    if (!parting) continue;
    const tick = from + parting.ticks + 1;
    const later = recorded.filter((mark) => mark.tick >= tick);
    return { tick, ...jointOf(later, repeated, parting.field) };
  }
  return null;
}

/** Where a repetition first parts from its tape; null when all of it has the same bits. */
export function firstDifference(
  recorded: readonly OutputLine[],
  repeated: readonly OutputLine[],
): Parting | null {
  const changes = partingOfChanges(recorded.filter(isChange), repeated.filter(isChange));
  const marks = partingOfMarks(recorded.filter(isMark), repeated.filter(isMark));
  if (!changes || !marks) return changes ?? marks;
  return marks.tick <= changes.tick ? marks : changes;
}
