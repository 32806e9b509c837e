/**
 * What two toolpaths have in common and in which steps they differ: their programs are laid beside
 * each other by what their steps say, and each step's time on its way is compared. Pure.
 */
import type { Toolpath } from '../../contract/types.ts';
import { type ProgramRow, programRows } from './program-rows.ts';
import { rowTimes } from './row-times.ts';
import type { Way } from './way.ts';

export interface Program {
  readonly toolpath: Toolpath;
  readonly way: Way;
}

/** A step of either program; null where one has no such step. */
export interface ComparedStep {
  readonly words: string;
  readonly own_s: number | null;
  readonly other_s: number | null;
}

/** Programs longer than this are laid beside each other only so far. */
const ROWS_MAX = 600;
/** Times that differ by less are the same (s). */
const SAME_S = 0.005;

interface Step {
  readonly words: string;
  readonly time_s: number;
}

function stepsOf({ toolpath, way }: Program): Step[] {
  const times = rowTimes(way);
  const rows = programRows(toolpath).slice(0, ROWS_MAX);
  const said = ({ words, aside }: ProgramRow) => (aside ? `${words}, ${aside}` : words);
  return rows.map((row) => ({ words: said(row), time_s: times.get(row.at)?.total_s ?? 0 }));
}

/** Length of the longest common run of steps from (i, j) on, for all i and j. */
function commonLengths(own: readonly Step[], other: readonly Step[]): Uint16Array[] {
  const table = Array.from({ length: own.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = own.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      const same = own[i]!.words === other[j]!.words;
      const [below, right] = [table[i + 1]![j]!, table[i]![j + 1]!];
      table[i]![j] = same ? table[i + 1]![j + 1]! + 1 : Math.max(below, right);
    }
  }
  return table;
}

/** All steps of both, in order, those that say the same as one. */
export function compareSteps(ownProgram: Program, otherProgram: Program): ComparedStep[] {
  const [own, other] = [stepsOf(ownProgram), stepsOf(otherProgram)];
  const common = commonLengths(own, other);
  const steps: ComparedStep[] = [];
  let [i, j] = [0, 0];
  while (i < own.length || j < other.length) {
    const [a, b] = [own[i], other[j]];
    if (a && b && a.words === b.words) {
      steps.push({ words: a.words, own_s: a.time_s, other_s: b.time_s });
      i += 1;
      j += 1;
    } else if (a && (!b || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      steps.push({ words: a.words, own_s: a.time_s, other_s: null });
      i += 1;
    } else if (b) {
      steps.push({ words: b.words, own_s: null, other_s: b.time_s });
      j += 1;
    }
  }
  return steps;
}

/** Whether a step is missing on one side or takes another time there. */
export function differs({ own_s, other_s }: ComparedStep): boolean {
  return own_s === null || other_s === null || Math.abs(own_s - other_s) >= SAME_S;
}
