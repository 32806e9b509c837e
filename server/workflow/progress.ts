/** How far a run is: tasks, labware, moves, and the order in which things began. Data alone. */
import type { WorkflowModel } from './model.ts';
import type { Place, PlannedMove, Started } from './plan/problem.ts';

export interface TaskProgress {
  state: 'waiting' | 'running' | 'succeeded' | 'failed' | 'skipped';
  /** −1 before it begins. */
  instrument: number;
  /** Seconds since the run's beginning; null before. */
  start_s: number | null;
  end_s: number | null;
  error: string;
}

export interface MoveProgress {
  readonly move: PlannedMove;
  readonly start_s: number;
  end_s: number | null;
  /** Time lost in pauses (s). */
  delay_s: number;
}

function moveKey({ task, labware }: PlannedMove): number {
  return task * 4096 + labware;
}

type Begun = (
  | { readonly kind: 'task'; readonly task: number }
  | { readonly kind: 'move'; readonly progress: MoveProgress }
) & {
  /** What the planner is told of it once it has ended. */
  past: Started | null;
};

export class Progress {
  readonly tasks: TaskProgress[];
  /** Null while the arm carries the piece. */
  readonly places: (Place | null)[];
  readonly moves: MoveProgress[] = [];
  readonly skipped = new Set<number>();
  private begun: Begun[] = [];
  /** The moves that have begun, by `moveKey`. */
  private readonly carried = new Set<number>();
  private readonly model: WorkflowModel;

  constructor(model: WorkflowModel) {
    this.model = model;
    this.places = model.labware.map(({ place }) => place);
    this.tasks = model.tasks.map(({ skip }) => ({
      state: skip ? 'skipped' : 'waiting',
      instrument: -1,
      start_s: null,
      end_s: null,
      error: '',
    }));
  }

  isDone(task: number): boolean {
    const { state } = this.tasks[task]!;
    return state === 'succeeded' || state === 'skipped';
  }

  get allDone(): boolean {
    return this.tasks.every((_, task) => this.isDone(task));
  }

  get runningTasks(): number[] {
    return this.tasks.flatMap(({ state }, task) => (state === 'running' ? [task] : []));
  }

  get failedTasks(): number[] {
    return this.tasks.flatMap(({ state }, task) => (state === 'failed' ? [task] : []));
  }

  /** The task that a piece is for next; undefined when it has been through all. */
  nextTaskOf(labware: number): number | undefined {
    return this.model.labware[labware]!.tasks.find((task) => !this.isDone(task));
  }

  beginTask(task: number, instrument: number, start_s: number): void {
    Object.assign(this.tasks[task]!, { state: 'running', instrument, start_s, error: '' });
    this.begun.push({ kind: 'task', task, past: null });
  }

  endTask(task: number, end_s: number, error: string | null): void {
    const progress = this.tasks[task]!;
    progress.end_s = end_s;
    progress.error = error ?? '';
    progress.state = error === null ? 'succeeded' : 'failed';
    if (error !== null) this.forgetTask(task);
    else this.shiftInside(task);
  }

  private shiftInside(task: number): void {
    for (const { labware, slot_after } of this.model.tasks[task]!.uses) {
      const place = this.places[labware];
      if (place) this.places[labware] = { ...place, slot: slot_after };
    }
  }

  /** A failed task may begin again: its first beginning is no part of the plan any more. */
  private forgetTask(task: number): void {
    this.begun = this.begun.filter((one) => one.kind !== 'task' || one.task !== task);
  }

  beginMove(move: PlannedMove, start_s: number): MoveProgress {
    const progress = { move, start_s, end_s: null, delay_s: 0 };
    this.moves.push(progress);
    this.carried.add(moveKey(move));
    this.begun.push({ kind: 'move', progress, past: null });
    return progress;
  }

  /** A move that was given up before the piece was picked up counts as never begun. */
  forgetMove(progress: MoveProgress): void {
    this.begun = this.begun.filter((one) => one.kind !== 'move' || one.progress !== progress);
    this.moves.splice(this.moves.indexOf(progress), 1);
    this.carried.delete(moveKey(progress.move));
  }

  /** True when a planned move has begun. */
  hasBegun(move: PlannedMove): boolean {
    return this.carried.has(moveKey(move));
  }

  private hasEnded(one: Begun): boolean {
    const { end_s } = one.kind === 'move' ? one.progress : this.tasks[one.task]!;
    return end_s !== null;
  }

  private startedOf(one: Begun, now_s: number): Started {
    if (one.kind === 'move') {
      const { move, start_s, end_s, delay_s } = one.progress;
      const expected_s = Math.max(now_s, start_s + move.end_s - move.start_s + delay_s);
      return { ...move, kind: 'move', start_s, end_s: end_s ?? expected_s };
    }
    const { task } = one;
    const { instrument, start_s, end_s } = this.tasks[task]!;
    const expected_s = Math.max(now_s, start_s! + this.model.tasks[task]!.estimate_s);
    return { kind: 'task', task, instrument, start_s: start_s!, end_s: end_s ?? expected_s };
  }

  /** What has begun, for the planner: ends that are still to come as the plan expects them. */
  started(now_s: number): Started[] {
    return this.begun.map((one) => {
      const started = one.past ?? this.startedOf(one, now_s);
      if (this.hasEnded(one)) one.past = started;
      return started;
    });
  }

  skip(task: number): void {
    this.tasks[task]!.state = 'skipped';
    this.skipped.add(task);
    this.forgetTask(task);
  }

  retry(task: number): void {
    Object.assign(this.tasks[task]!, { state: 'waiting', start_s: null, end_s: null, error: '' });
  }
}
