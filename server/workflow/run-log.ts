/**
 * Publishes the events of a run: every event that can fire a hook, numbered, with the twin's time
 * (webhooks §2.3, §4). Also: the tasks on simulated instruments, which publish most of them.
 */
import type {
  LabwareMovement,
  NewPlan,
  RunEvent,
  RunFault,
  RunStateChange,
  SafetyStateChange,
  TaskStateChange,
} from '../../contract/types.ts';
import type { Cancel, WallClock } from '../clock/clock.ts';
import { type Timers, type TwinTime, tickOf, timestamp } from '../clock/twin-time.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { SchedulingTerms } from './joint-problem.ts';
import type { WorkflowModel } from './model.ts';
import type { PlannedTask } from './plan/problem.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { MoveProgress, RunProgress } from './progress.ts';
import type { SharedWorkcell } from './shared-workcell.ts';
import type { LabwareTransporter } from './transporter.ts';

type Content<Body> = Omit<Body, 'run_id' | 'timestamp'>;

export type RunListener = (event: RunEvent) => void;

export class RunLog {
  private sequence = 0;
  private readonly run_id: string;
  private readonly time: TwinTime;
  /** Called with every event, in order. */
  private readonly listener: RunListener;

  constructor(run_id: number, time: TwinTime, listener: RunListener) {
    this.run_id = String(run_id);
    this.time = time;
    this.listener = listener;
  }

  private get head() {
    return { run_id: this.run_id, timestamp: timestamp(this.time) };
  }

  private next(): number {
    return ++this.sequence;
  }

  run(state: RunStateChange['state'], message = ''): void {
    const body = { ...this.head, state, message };
    this.listener({ sequence: this.next(), hook_type: 'RunStateChangeHook', body });
  }

  task(content: Content<TaskStateChange>): void {
    const body = { ...this.head, ...content };
    this.listener({ sequence: this.next(), hook_type: 'TaskStateChangeHook', body });
  }

  safety(content: Content<SafetyStateChange>): void {
    const body = { ...this.head, ...content };
    this.listener({ sequence: this.next(), hook_type: 'SafetyStateChangeHook', body });
  }

  labware(content: Content<LabwareMovement>): void {
    const body = { ...this.head, ...content };
    this.listener({ sequence: this.next(), hook_type: 'LabwareMovementHook', body });
  }

  plan(content: Content<NewPlan>): void {
    const body = { ...this.head, ...content };
    this.listener({ sequence: this.next(), hook_type: 'NewPlanHook', body });
  }
}

/** The dependencies of a run. */
export interface RunParts {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly transporter: LabwareTransporter;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly log: RunLog;
  readonly faults: RunFaults;
  readonly progress: RunProgress;
  readonly schedule: SchedulingTerms;
  readonly shared: SharedWorkcell;
  /** Whether an instrument is down. */
  readonly isDown: (id: string) => boolean;
  /** The begun move of the piece that is in the gripper at the start; null for none. */
  readonly held: MoveProgress | null;
}

/** Runs tasks on simulated instruments: starts them, ends them by timers, publishes task events. */

/** Returns the requested faults that name unknown tasks. */
export function unknownFaults(
  { tasks }: WorkflowModel,
  faults: readonly RunFault[],
): { readonly path: string; readonly problem: string }[] {
  return faults.flatMap(({ task_id }, i) =>
    tasks.some(({ id }) => id === task_id)
      ? []
      : [{ path: `/faults/${i}/task_id`, problem: `there is no task ${task_id}` }],
  );
}

/** Failures of simulated instruments: injected with the start of a run, or by `mock_behaviour`. */
export class RunFaults {
  private readonly remaining = new Map<number, { error: string; times: number }>();
  private readonly model: WorkflowModel;

  constructor(model: WorkflowModel, faults: readonly RunFault[]) {
    this.model = model;
    for (const { task_id, error = 'injected fault', times = 1 } of faults) {
      const task = model.tasks.findIndex(({ id }) => id === task_id);
      if (task >= 0) this.remaining.set(task, { error, times });
    }
  }

  /** Returns the error with which a task ends now, or null if it succeeds. */
  nextFault(task: number): string | null {
    const fault = this.remaining.get(task);
    if (fault && fault.times > 0) {
      fault.times -= 1;
      return fault.error;
    }
    return this.model.tasks[task]!.succeeds ? null : 'the simulated instrument failed';
  }
}

export interface RunTasksParts {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
  readonly log: RunLog;
  readonly faults: RunFaults;
  readonly time: TwinTime;
  readonly timers: Timers;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  /** `error` is null if the task succeeded. */
  readonly onEnded: (task: number, error: string | null) => void;
}

/** Error of tasks that the end of their run interrupts. */
const RUN_STOPPED = 'the run was stopped';

export class RunTasks {
  private readonly ends = new Map<number, Cancel>();
  private readonly parts: RunTasksParts;

  constructor(parts: RunTasksParts) {
    this.parts = parts;
  }

  start({ task, instrument }: PlannedTask): void {
    const { model, progress, time, timers, faults, now_s } = this.parts;
    progress.startTask(task, instrument, now_s());
    this.publish(task, 'started', '');
    const due_tick = tickOf(time.now_s + model.tasks[task]!.execution_s);
    const cancel = timers.at(due_tick, () => this.end(task, faults.nextFault(task)));
    this.ends.set(task, cancel);
  }

  private end(task: number, error: string | null): void {
    const { progress, now_s, onEnded } = this.parts;
    this.ends.delete(task);
    progress.endTask(task, now_s(), error);
    this.publish(task, error === null ? 'succeeded' : 'failed', error ?? '');
    onEnded(task, error);
  }

  private publish(task: number, state: 'started' | 'succeeded' | 'failed', error: string): void {
    const { model, log, progress } = this.parts;
    const { id, action } = model.tasks[task]!;
    const { instrument } = progress.tasks[task]!;
    const instrument_id = model.instruments[instrument]?.id ?? '';
    log.task({ task_id: id, instrument_id, state, action, error });
  }

  /** Ends a failed task as done by the operator. */
  complete(task: number): void {
    const { progress, now_s } = this.parts;
    progress.complete(task, now_s());
    this.publish(task, 'succeeded', '');
  }

  /** Fails a task that cannot start because its labware was not delivered. */
  failUnstarted(task: number, error: string, { publish }: { readonly publish: boolean }): void {
    const { progress, now_s } = this.parts;
    if (progress.tasks[task]!.state !== 'waiting') return;
    progress.endTask(task, now_s(), error);
    if (publish) this.publish(task, 'failed', error);
  }

  /** Fails every running task on an instrument that is down. */
  failOnDown(isDown: (instrument: number) => boolean): void {
    const { progress, model } = this.parts;
    for (const task of progress.runningTasks) {
      const { instrument } = progress.tasks[task]!;
      if (!isDown(instrument)) continue;
      this.ends.get(task)?.();
      this.end(task, `${model.instruments[instrument]!.id} is down`);
    }
  }

  /** Fails all running tasks, because the run ends; `publish`: with events. */
  cancelAll({ publish }: { readonly publish: boolean }): void {
    const { progress, now_s } = this.parts;
    for (const [task, cancel] of this.ends) {
      cancel();
      progress.endTask(task, now_s(), RUN_STOPPED);
      if (publish) this.publish(task, 'failed', RUN_STOPPED);
    }
    this.ends.clear();
  }
}
