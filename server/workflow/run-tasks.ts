/** The tasks of a run on their simulated instruments: begun, ended by timers, and told. */
import type { Timers } from '../clock/timers.ts';
import { type TwinTime, tickOf } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { WorkflowModel } from './model.ts';
import type { PlannedTask } from './plan/problem.ts';
import type { Progress } from './progress.ts';
import type { RunFaults } from './run-faults.ts';
import type { RunLog } from './run-log.ts';

export interface RunTasksParts {
  readonly model: WorkflowModel;
  readonly progress: Progress;
  readonly log: RunLog;
  readonly faults: RunFaults;
  readonly time: TwinTime;
  readonly timers: Timers;
  /** Seconds since the run's beginning. */
  readonly now_s: () => number;
  /** `error` is null when the task has succeeded. */
  readonly onEnded: (task: number, error: string | null) => void;
}

export class RunTasks {
  private readonly ends = new Map<number, Cancel>();
  private readonly parts: RunTasksParts;

  constructor(parts: RunTasksParts) {
    this.parts = parts;
  }

  begin({ task, instrument }: PlannedTask): void {
    const { model, progress, time, timers, faults, now_s } = this.parts;
    progress.beginTask(task, instrument, now_s());
    this.tell(task, 'started', '');
    const due_tick = tickOf(time.now_s + model.tasks[task]!.execution_s);
    const cancel = timers.at(due_tick, () => this.end(task, faults.take(task)));
    this.ends.set(task, cancel);
  }

  private end(task: number, error: string | null): void {
    const { progress, now_s, onEnded } = this.parts;
    this.ends.delete(task);
    progress.endTask(task, now_s(), error);
    this.tell(task, error === null ? 'succeeded' : 'failed', error ?? '');
    onEnded(task, error);
  }

  private tell(task: number, state: 'started' | 'succeeded' | 'failed', error: string): void {
    const { model, log, progress } = this.parts;
    const { id, action } = model.tasks[task]!;
    const { instrument } = progress.tasks[task]!;
    const instrument_id = model.instruments[instrument]?.id ?? '';
    log.task({ task_id: id, instrument_id, state, action, error });
  }

  /** A task that cannot begin because its labware was not brought; told unless the labware was. */
  failBefore(task: number, error: string, { isTold }: { readonly isTold: boolean }): void {
    const { progress, now_s } = this.parts;
    if (progress.tasks[task]!.state !== 'waiting') return;
    progress.endTask(task, now_s(), error);
    if (isTold) this.tell(task, 'failed', error);
  }

  /** Fails every running task for which there is a reason. */
  failWhere(reasonOf: (task: number) => string | null): void {
    for (const task of this.parts.progress.runningTasks) {
      const reason = reasonOf(task);
      if (reason === null) continue;
      this.ends.get(task)?.();
      this.end(task, reason);
    }
  }

  /** Forgets what is running, silently: the run is over. */
  drop(): void {
    for (const [task, cancel] of this.ends) {
      cancel();
      const error = 'the run was stopped';
      Object.assign(this.parts.progress.tasks[task]!, { state: 'failed', error });
    }
    this.ends.clear();
  }
}
