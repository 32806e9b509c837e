/**
 * The steps in which two programs differ. Steps are aligned by their texts (longest common
 * subsequence). Pure.
 */
import type { Toolpath } from '../../../contract/types.generated.ts';
import { type ProgramRow, programRows } from '../program-rows.ts';
import { rowTimes } from '../row-times.ts';
import type { TimedPath } from '../timed-path.ts';

export interface ComparedProgram {
  readonly toolpath: Toolpath;
  readonly path: TimedPath;
}

/** A step of either program; the time is null if that program does not have it. */
export interface ComparedStep {
  readonly text: string;
  readonly own_s: number | null;
  readonly other_s: number | null;
}

/** Only this many rows of a program are compared. */
const ROWS_MAX = 600;
/** Times that differ by less are equal (s). */
const SAME_S = 0.005;

interface Step {
  readonly text: string;
  readonly time_s: number;
}

function stepsOf({ toolpath, path }: ComparedProgram): Step[] {
  const times = rowTimes(path);
  const rows = programRows(toolpath).slice(0, ROWS_MAX);
  const fullText = ({ text, detail }: ProgramRow) => (detail ? `${text}, ${detail}` : text);
  return rows.map((row) => ({ text: fullText(row), time_s: times.get(row.at)?.total_s ?? 0 }));
}

/** Length of the longest common subsequence from (i, j) on, for all i and j. */
function commonLengths(own: readonly Step[], other: readonly Step[]): Uint16Array[] {
  const table = Array.from({ length: own.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = own.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      const same = own[i]!.text === other[j]!.text;
      const [below, right] = [table[i + 1]![j]!, table[i]![j + 1]!];
      table[i]![j] = same ? table[i + 1]![j + 1]! + 1 : Math.max(below, right);
    }
  }
  return table;
}

/** All steps of both programs in order; steps with equal texts are merged. */
export function compareSteps(
  ownProgram: ComparedProgram,
  otherProgram: ComparedProgram,
): ComparedStep[] {
  const [own, other] = [stepsOf(ownProgram), stepsOf(otherProgram)];
  const common = commonLengths(own, other);
  const steps: ComparedStep[] = [];
  let [i, j] = [0, 0];
  while (i < own.length || j < other.length) {
    const [a, b] = [own[i], other[j]];
    if (a && b && a.text === b.text) {
      steps.push({ text: a.text, own_s: a.time_s, other_s: b.time_s });
      i += 1;
      j += 1;
    } else if (a && (!b || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      steps.push({ text: a.text, own_s: a.time_s, other_s: null });
      i += 1;
    } else if (b) {
      steps.push({ text: b.text, own_s: null, other_s: b.time_s });
      j += 1;
    }
  }
  return steps;
}

/** Whether a step is missing on one side or takes a different time. */
export function differs({ own_s, other_s }: ComparedStep): boolean {
  return own_s === null || other_s === null || Math.abs(own_s - other_s) >= SAME_S;
}
