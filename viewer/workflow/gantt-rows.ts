/**
 * What the chart of a run shows: one row for the arm and each instrument, one bar for each task and
 * move, planned against actual. Pure; the drawing is in gantt-chart.ts.
 */
import type {
  PlannedTransport,
  PlannedWorkflowTask,
  RunDetails,
  RunMove,
  RunTask,
  WorkflowPlan,
} from '../../contract/types.ts';

/** Seconds since the run's beginning. */
export interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

export type BarState = 'planned' | 'running' | 'done' | 'failed' | 'skipped';

export interface GanttBar {
  /** `task/<id>` or `move/<number>`. */
  readonly key: string;
  readonly kind: 'task' | 'move';
  readonly words: string;
  readonly state: BarState;
  /** As first planned; null where nobody knows. */
  readonly planned: Span | null;
  /** From the real beginning to the real end, or to where the plan now sees it. */
  readonly shown: Span;
  /** Where overlapping bars of a row go; 0 is the first lane. */
  readonly lane: number;
  readonly error: string;
}

export interface GanttRow {
  /** Instrument id; empty for the arm. */
  readonly id: string;
  readonly name: string;
  readonly lanes: number;
  readonly bars: readonly GanttBar[];
}

export interface GanttSource {
  readonly run: RunDetails | null;
  /** The plan as it is now. */
  readonly plan: WorkflowPlan | null;
  /** The plan that the run began with, as far as this page saw it. */
  readonly first: WorkflowPlan | null;
  /** Instruments as the definition names them, in its order. */
  readonly instruments: readonly { readonly id: string; readonly name: string }[];
}

/** Later than this (s) counts as late. */
export const LATE_S = 1;

const STATES: Record<RunTask['state'], BarState> = {
  waiting: 'planned',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

/** The tasks of a plan by id; the schema leaves what stands under each id open. */
export function plannedTasks(plan: WorkflowPlan | null): ReadonlyMap<string, PlannedWorkflowTask> {
  return new Map(Object.entries((plan?.tasks ?? {}) as Record<string, PlannedWorkflowTask>));
}

function spanOf(planned: { start: number; end: number } | undefined): Span | null {
  return planned ? { from_s: planned.start, to_s: planned.end } : null;
}

/** What an operation takes on the chart: its own times, completed from plan and present. */
function shownSpan(
  actual: { readonly from_s: number | null; readonly to_s: number | null },
  planned: Span | null,
  now_s: number,
): Span | null {
  if (actual.from_s === null) return planned;
  if (actual.to_s !== null) return { from_s: actual.from_s, to_s: actual.to_s };
  const length_s = planned ? planned.to_s - planned.from_s : 0;
  return { from_s: actual.from_s, to_s: Math.max(actual.from_s + length_s, now_s) };
}

type LooseBar = Omit<GanttBar, 'lane'> & { readonly row: string };

function taskBars({ run, plan, first }: GanttSource): LooseBar[] {
  const [newer, older] = [plannedTasks(plan), plannedTasks(first)];
  const ids = run ? run.tasks.map(({ id }) => id) : [...newer.keys()];
  const told = new Map(run?.tasks.map((task) => [task.id, task]));
  return ids.flatMap((id): LooseBar[] => {
    const task = told.get(id);
    const now = spanOf(newer.get(id));
    const actual = { from_s: task?.started_at_s ?? null, to_s: task?.ended_at_s ?? null };
    const shown = shownSpan(actual, now, run?.now_s ?? 0);
    const row = task?.instrument_id ?? newer.get(id)?.instrument ?? null;
    if (!shown || row === null) return [];
    const state = task ? STATES[task.state] : 'planned';
    const planned = spanOf(older.get(id)) ?? now;
    return [
      {
        key: `task/${id}`,
        kind: 'task',
        words: id,
        state,
        planned,
        shown,
        row,
        error: task?.error ?? '',
      },
    ];
  });
}

type Carriage = Omit<PlannedTransport, 'start' | 'end'>;

function carriageKey(move: Carriage): string {
  return JSON.stringify([
    move.labware_id,
    move.source_instrument_id,
    move.source_slot,
    move.destination_instrument_id,
    move.destination_slot,
  ]);
}

/** The `n`th move of its kind, where labware goes the same way twice. */
function numbered<T extends Carriage>(moves: readonly T[]): Map<string, T> {
  const counts = new Map<string, number>();
  return new Map(
    moves.map((move) => {
      const key = carriageKey(move);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return [`${key}${count}`, move];
    }),
  );
}

/** Every move that has begun or is planned, in the order of the plan. */
function moveBars({ run, plan, first }: GanttSource): LooseBar[] {
  const made = numbered<RunMove>(run?.moves ?? []);
  const planned = numbered(plan?.transports ?? []);
  const began = numbered(first?.transports ?? []);
  const keys = [...new Set([...made.keys(), ...planned.keys()])];
  return keys.flatMap((key, i): LooseBar[] => {
    const done = made.get(key);
    const move = done ?? planned.get(key)!;
    const now = spanOf(planned.get(key));
    const actual = { from_s: done?.started_at_s ?? null, to_s: done?.ended_at_s ?? null };
    const shown = shownSpan(actual, now, run?.now_s ?? 0);
    if (!shown) return [];
    const state = !done ? 'planned' : done.ended_at_s === null ? 'running' : 'done';
    const words = `${move.labware_id} to ${move.destination_instrument_id}`;
    const first_ = spanOf(began.get(key)) ?? now;
    return [
      { key: `move/${i}`, kind: 'move', words, state, planned: first_, shown, row: '', error: '' },
    ];
  });
}

/** Puts bars into lanes so that none lies over another. */
function inLanes(bars: readonly LooseBar[]): { bars: GanttBar[]; lanes: number } {
  const ends: number[] = [];
  const sorted = [...bars].sort((a, b) => a.shown.from_s - b.shown.from_s);
  const placed = sorted.map(({ row: _, ...bar }) => {
    const free = ends.findIndex((end) => end <= bar.shown.from_s + 1e-6);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = bar.shown.to_s;
    return { ...bar, lane };
  });
  return { bars: placed, lanes: Math.max(ends.length, 1) };
}

/** The rows of a chart: the arm where anything is moved, then the instruments with work. */
export function ganttRows(source: GanttSource): GanttRow[] {
  const bars = [...moveBars(source), ...taskBars(source)];
  const names = new Map(source.instruments.map(({ id, name }) => [id, name]));
  const seen = new Set(bars.map(({ row }) => row));
  const ids = ['', ...names.keys(), ...seen].filter((id, i, all) => {
    return seen.has(id) && all.indexOf(id) === i;
  });
  return ids.map((id) => {
    const own = inLanes(bars.filter(({ row }) => row === id));
    return { id, name: id === '' ? 'Arm' : (names.get(id) ?? id), ...own };
  });
}

/** How much later (s) than planned a bar ends, as far as it has ended or is still under way. */
export function lateness_s({ state, planned, shown }: GanttBar): number {
  if (!planned || state === 'planned') return 0;
  return Math.max(shown.to_s - planned.to_s, 0);
}

/** The end (s) of everything on the chart. */
export function chartEnd_s(rows: readonly GanttRow[], now_s: number): number {
  const ends = rows.flatMap(({ bars }) =>
    bars.flatMap(({ shown, planned }) => [shown.to_s, planned?.to_s ?? 0]),
  );
  return Math.max(now_s, 1, ...ends);
}
