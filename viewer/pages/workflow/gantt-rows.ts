/**
 * Content of the Gantt chart: one row for the arm and for each instrument, one bar for each task
 * and move, planned against actual. Pure; gantt-chart.ts draws it.
 */
import type {
  PlannedTransport,
  PlannedWorkflowTask,
  RunDetails,
  RunMove,
  RunTask,
  WorkflowPlan,
} from '../../../contract/types.generated.ts';
import { reuseIfEqual } from '../../link/reuse-if-equal.ts';

/** Time span in seconds since the start of the run. */
export interface TimeSpan {
  readonly from_s: number;
  readonly to_s: number;
}

export type BarState = 'planned' | 'running' | 'done' | 'failed' | 'skipped';

export interface GanttBar {
  /** `task/<id>` or `move/<number>`. */
  readonly key: string;
  readonly kind: 'task' | 'move';
  readonly label: string;
  readonly state: BarState;
  /** Span in the first plan; null if unknown. */
  readonly planned: TimeSpan | null;
  /** From actual start to actual end, completed from the current plan. */
  readonly shown: TimeSpan;
  /** True for an unstarted bar that the current time has moved. */
  readonly isMoved?: boolean;
  /** Lane for overlapping bars of a row; 0 is the first. */
  readonly lane: number;
  readonly error: string;
  /** The first piece of labware; empty for none. */
  readonly labware: string;
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
  /** The current plan. */
  readonly plan: WorkflowPlan | null;
  /** The plan at the start of the run, if this page saw it. */
  readonly firstPlan: WorkflowPlan | null;
  /** Instruments of the definition, in its order. */
  readonly instruments: readonly { readonly id: string; readonly name: string }[];
  /** Since when the plan of a paused run waits (s); null or absent while it runs. */
  readonly waitsSince_s?: number | null;
}

/** Later than this counts as late (s). */
export const LATE_THRESHOLD_S = 1;

const STATES: Record<RunTask['state'], BarState> = {
  waiting: 'planned',
  running: 'running',
  succeeded: 'done',
  completed_manually: 'done',
  failed: 'failed',
  skipped: 'skipped',
  aborted: 'skipped',
  cancelled: 'skipped',
};

/** The tasks of a plan by id; the schema does not type the values. */
function plannedTasks(plan: WorkflowPlan | null): ReadonlyMap<string, PlannedWorkflowTask> {
  return new Map(Object.entries((plan?.tasks ?? {}) as Record<string, PlannedWorkflowTask>));
}

function spanOf(planned: { start: number; end: number } | undefined): TimeSpan | null {
  return planned ? { from_s: planned.start, to_s: planned.end } : null;
}

/**
 * Span of an operation on the chart: actual times, completed from the plan and the current time.
 */
function shownSpan(
  actual: { readonly from_s: number | null; readonly to_s: number | null },
  planned: TimeSpan | null,
  now_s: number,
): TimeSpan | null {
  if (actual.from_s === null) return planned;
  if (actual.to_s !== null) return { from_s: actual.from_s, to_s: actual.to_s };
  const length_s = planned ? planned.to_s - planned.from_s : 0;
  return { from_s: actual.from_s, to_s: Math.max(actual.from_s + length_s, now_s) };
}

type UnplacedBar = Omit<GanttBar, 'lane'> & { readonly row: string };

function taskBars({ run, plan, firstPlan }: GanttSource): UnplacedBar[] {
  const [newer, older] = [plannedTasks(plan), plannedTasks(firstPlan)];
  const ids = run ? run.tasks.map(({ id }) => id) : [...newer.keys()];
  const tasks = new Map(run?.tasks.map((task) => [task.id, task]));
  return ids.flatMap((id): UnplacedBar[] => {
    const task = tasks.get(id);
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
        label: id,
        state,
        planned,
        shown,
        row,
        error: task?.error ?? '',
        labware: (newer.get(id) ?? older.get(id))?.labware_in[0] ?? '',
      },
    ];
  });
}

type PlateMove = Omit<PlannedTransport, 'start' | 'end'>;

function moveKey(move: PlateMove): string {
  return JSON.stringify([
    move.labware_id,
    move.source_instrument_id,
    move.source_slot,
    move.destination_instrument_id,
    move.destination_slot,
  ]);
}

/** Moves with a key for their kind and count, because labware may repeat a move. */
function numbered<T extends PlateMove>(moves: readonly T[]): Map<string, T> {
  const counts = new Map<string, number>();
  return new Map(
    moves.map((move) => {
      const key = moveKey(move);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return [`${key}${count}`, move];
    }),
  );
}

/** The whole time of the arm for a move; older runs have only the time of the piece. */
export function armTimes(move: RunMove) {
  const { arm_started_at_s, arm_ended_at_s, started_at_s, ended_at_s } = move;
  if (arm_started_at_s === undefined) return { from_s: started_at_s, to_s: ended_at_s };
  return { from_s: arm_started_at_s, to_s: arm_ended_at_s ?? null };
}

/** Tells why a move that has not ended failed: its piece was missed or lost; empty for none. */
function moveFaults({ run, plan, firstPlan }: GanttSource): (move: PlateMove) => string {
  const [newer, older] = [plannedTasks(plan), plannedTasks(firstPlan)];
  const failed = (run?.tasks ?? []).flatMap(({ id, state, started_at_s, error }) => {
    // A task that has begun had its piece.
    const planned = newer.get(id) ?? older.get(id);
    return state === 'failed' && started_at_s === null && planned ? [{ error, planned }] : [];
  });
  return ({ labware_id, destination_instrument_id }) => {
    const own = failed.find(
      ({ planned: { instrument, labware_in } }) =>
        instrument === destination_instrument_id && labware_in.includes(labware_id),
    );
    return own?.error ?? '';
  };
}

/** All started, planned or failed moves, in plan order. */
function moveBars(source: GanttSource): UnplacedBar[] {
  const { run, plan, firstPlan } = source;
  const made = numbered<RunMove>(run?.moves ?? []);
  const planned = numbered(plan?.transports ?? []);
  const began = numbered(firstPlan?.transports ?? []);
  const faultOf = moveFaults(source);
  // The plan after a failure may have no move in the place of the one that failed.
  const lost = [...began].flatMap(([key, move]) => (faultOf(move) ? [key] : []));
  const keys = [...new Set([...made.keys(), ...planned.keys(), ...lost])];
  return keys.flatMap((key, i): UnplacedBar[] => {
    const done = made.get(key);
    const move = done ?? planned.get(key) ?? began.get(key)!;
    const now = spanOf(planned.get(key) ?? began.get(key));
    const actual = done ? armTimes(done) : { from_s: null, to_s: null };
    const shown = shownSpan(actual, now, run?.now_s ?? 0);
    if (!shown) return [];
    const error = actual.to_s === null ? faultOf(move) : '';
    const open = done ? 'running' : 'planned';
    const state = error ? 'failed' : actual.to_s === null ? open : 'done';
    const label = `${move.labware_id} to ${move.destination_instrument_id}`;
    const first_ = spanOf(began.get(key)) ?? now;
    return [
      {
        key: `move/${i}`,
        kind: 'move',
        label,
        state,
        planned: first_,
        shown,
        row: '',
        error,
        labware: move.labware_id,
      },
    ];
  });
}

/** Assigns bars to lanes without overlap. */
function inLanes(bars: readonly UnplacedBar[]): { bars: GanttBar[]; lanes: number } {
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

/** How much later than its plan the unstarted work can begin at the earliest (s). */
function delayOf({ run, waitsSince_s }: GanttSource, bars: readonly UnplacedBar[]): number {
  if (!run || run.state === 'stopped') return 0;
  const { now_s } = run;
  const starts = bars.flatMap(({ state, shown }) => (state === 'planned' ? [shown.from_s] : []));
  if (starts.length === 0) return 0;
  const overdue_s = Math.max(0, now_s - Math.min(...starts));
  const paused_s = now_s - (waitsSince_s ?? now_s);
  // Plans are in whole seconds.
  return overdue_s > LATE_THRESHOLD_S ? Math.max(overdue_s, paused_s) : paused_s;
}

function allBars(source: GanttSource): UnplacedBar[] {
  return [...moveBars(source), ...taskBars(source)];
}

/** How much later than its plan the unstarted work of a run can begin at the earliest (s). */
export function unstartedDelay_s(source: GanttSource): number {
  return delayOf(source, allBars(source));
}

/** Unstarted bars whose time has passed move with the current time, and all others with them. */
function movedBars(source: GanttSource): UnplacedBar[] {
  const bars = allBars(source);
  const delay_s = delayOf(source, bars);
  if (delay_s <= 0) return bars;
  return bars.map((bar) => {
    if (bar.state !== 'planned') return bar;
    const { from_s, to_s } = bar.shown;
    return { ...bar, shown: { from_s: from_s + delay_s, to_s: to_s + delay_s }, isMoved: true };
  });
}

/** The rows of the chart: the arm if anything moves, then the instruments with tasks. */
export function ganttRows(source: GanttSource): GanttRow[] {
  const bars = movedBars(source);
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

/** `now`, or `before` where it has the same items. */
function keptList<Item>(before: readonly Item[], now: readonly Item[]): readonly Item[] {
  const isSame = before.length === now.length && now.every((item, i) => item === before[i]);
  return isSame ? before : now;
}

/** The rows, with those rows and bars of `before` that have not changed. */
export function keptRows(
  before: readonly GanttRow[],
  now: readonly GanttRow[],
): readonly GanttRow[] {
  const known = new Map(before.flatMap(({ bars }) => bars.map((bar) => [bar.key, bar] as const)));
  const rows = now.map((row) => {
    const own = row.bars.map((bar) => reuseIfEqual(known.get(bar.key) ?? bar, bar));
    const old = before.find(({ id }) => id === row.id);
    const bars = keptList(old?.bars ?? [], own);
    const isSame = old?.bars === bars && old.name === row.name && old.lanes === row.lanes;
    return isSame ? old : { ...row, bars };
  });
  return keptList(before, rows);
}

/** How much later than planned a bar ends (s); 0 for planned bars that now does not push. */
export function lateness_s({ state, planned, shown, isMoved = false }: GanttBar): number {
  if (!planned || (state === 'planned' && !isMoved)) return 0;
  return Math.max(shown.to_s - planned.to_s, 0);
}

/** End of everything on the chart (s). */
export function chartEnd_s(rows: readonly GanttRow[], now_s: number): number {
  const ends = rows.flatMap(({ bars }) =>
    bars.flatMap(({ shown, planned }) => [shown.to_s, planned?.to_s ?? 0]),
  );
  return Math.max(now_s, 1, ...ends);
}

const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

/** The bar that an arrow key leads to from the bar `key`: in its row, or the nearest of another. */
export function barBeside(
  rows: readonly GanttRow[],
  key: string | undefined,
  arrow: string,
): GanttBar | undefined {
  const row = rows.findIndex(({ bars }) => bars.some((bar) => bar.key === key));
  const bars = rows[row]?.bars ?? [];
  const at = bars.findIndex((bar) => bar.key === key);
  if (at < 0 || !KEYS.includes(arrow)) return undefined;
  if (arrow === 'ArrowLeft') return bars[at - 1];
  if (arrow === 'ArrowRight') return bars[at + 1];
  const from_s = bars[at]!.shown.from_s;
  const distance_s = ({ shown }: GanttBar) => Math.abs(shown.from_s - from_s);
  return rows[row + (arrow === 'ArrowUp' ? -1 : 1)]?.bars.reduce((a, b) =>
    distance_s(b) < distance_s(a) ? b : a,
  );
}
