/** The rows of the program tree for a path: their times, findings and folds. Pure. */
import { decimal } from '../ui/value-text.ts';
import type { Finding } from './finding.ts';
import { type ProgramRow, programRows } from './program-rows.ts';
import { type RowTime, rowTimes } from './row-times.ts';
import type { TimedPath } from './timed-path.ts';
import type { ToolpathView } from './toolpath-view.ts';

export interface TreeRow extends ProgramRow {
  /** Pointers of the rows that it is in. */
  readonly parents: readonly string[];
  /** Whether the path takes this branch; false for other rows. */
  readonly isTaken: boolean;
  readonly finding: Finding | undefined;
  /** How long the path is in it; empty where that says nothing. */
  readonly time: string;
  /** What is known of it, in words. */
  readonly title: string;
}

function timeText(row: ProgramRow, time: RowTime | undefined): string {
  if (!time || row.kind === 'output' || row.kind === 'restart') return '';
  const time_s = row.opens || row.kind === 'call' ? time.total_s : time.once_s;
  return time_s > 0 || row.kind === 'home' ? `${decimal(time_s, 1)} s` : '';
}

/** The rows of what is open; none where nothing is. */
export function treeRows({ opened, path }: Pick<ToolpathView, 'opened' | 'path'>): TreeRow[] {
  if (!opened) return [];
  const times = path ? rowTimes(path) : new Map<string, RowTime>();
  const open: string[] = [];
  return programRows(opened.toolpath).map((row) => {
    const { at, depth, branch, text, detail } = row;
    open.length = Math.min(open.length, depth);
    const parents = [...open];
    open[depth] = at;
    const finding = opened.findings.find((one) => one.at === at);
    return {
      ...row,
      parents,
      finding,
      isTaken: branch !== null && (path?.choices[branch.of] ?? -1) === branch.number,
      time: timeText(row, times.get(at)),
      title: finding ? `${finding.message} (${finding.code})` : `${text} ${detail}`.trim(),
    };
  });
}

/** A row that the user has folded or unfolded, and the path that was shown then. */
interface Fold {
  readonly isFolded: boolean;
  readonly path: TimedPath | null;
}

/** By pointer. */
export type Folds = ReadonlyMap<string, Fold>;

/** The rows that are folded: by the user, and branches that the path does not take. */
export function foldedRows(
  rows: readonly TreeRow[],
  folds: Folds,
  path: TimedPath | null,
): ReadonlySet<string> {
  const isFolded = ({ at, branch, isTaken }: TreeRow): boolean => {
    const fold = folds.get(at);
    // Another path shows the branches that it takes.
    if (branch && fold?.path !== path) return !isTaken;
    return fold?.isFolded ?? false;
  };
  return new Set(rows.filter(isFolded).map(({ at }) => at));
}

/** Whether a row is shown: by what is searched for, or else where nothing that it is in is folded. */
export function isRowShown(
  { text, detail, title, parents }: TreeRow,
  query: string,
  folded: ReadonlySet<string>,
): boolean {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return !parents.some((parent) => folded.has(parent));
  return `${text} ${detail} ${title}`.toLowerCase().includes(wanted);
}
