/**
 * Runs tasks on simulated instruments: starts them, ends them by timers, publishes task events.
 */

import type { DataOutputs, RunPrompt } from '../../contract/types.generated.ts';
import type { Timers } from '../../server/clock/timers.ts';
import { type TwinTime, tickOf } from '../../server/clock/twin-time.ts';
import type { Cancel } from '../../server/clock/wall-clock.ts';
import { BARCODE } from '../definition/barcodes.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { PlannedTask } from '../plan/problem.ts';
import { barcodeFault } from './barcode-fault.ts';
import type { RunProgress } from './progress.ts';
import type { RunLog } from './run-log.ts';
import type { RunSupplies } from './run-supplies.ts';
import type { SimulatedResults } from './simulated-results.ts';
import { askedOf, missingOutput } from './task-outputs.ts';

export interface RunTasksParts {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
  readonly log: RunLog;
  readonly results: SimulatedResults;
  readonly supplies: RunSupplies;
  readonly time: TwinTime;
  readonly timers: Timers;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  /** `error` is null if the task succeeded. */
  readonly onEnded: (task: number, error: string | null) => void;
}

/** Error of tasks that the end of their run interrupts. */
export const RUN_STOPPED = 'the run was stopped';

export class RunTasks {
  private readonly ends = new Map<number, Cancel>();
  private readonly parts: RunTasksParts;

  constructor(parts: RunTasksParts) {
    this.parts = parts;
  }

  start({ task, instrument }: PlannedTask): void {
    const { model, progress, time, timers, results, now_s } = this.parts;
    progress.startTask(task, instrument, now_s());
    this.parts.supplies.take(task);
    this.publish(task, 'started', '');
    const { execution_s, time_out_s } = model.tasks[task]!;
    const after_s = Math.min(execution_s, time_out_s);
    const end = () => {
      if (execution_s > time_out_s) {
        this.end(task, `nobody did it within ${time_out_s} s`);
        return;
      }
      const { error, outputs } = results.next(task, instrument);
      this.end(task, error ?? this.resultFault(task, outputs), outputs);
    };
    const isTimed = Number.isFinite(after_s);
    this.ends.set(task, isTimed ? timers.at(tickOf(time.now_s + after_s), end) : () => {});
  }

  /** Why a task has not returned what it has to; null if it has. */
  private resultFault(task: number, outputs: DataOutputs): string | null {
    const { model } = this.parts;
    return missingOutput(model, task, outputs) ?? barcodeFault(this.parts, task, outputs);
  }

  /** Why what a person says of a task cannot be right; null if it can. A barcode may be left out. */
  answerFault(task: number, outputs: DataOutputs): string | null {
    const { model } = this.parts;
    const barcode = Object.hasOwn(outputs, BARCODE)
      ? barcodeFault(this.parts, task, outputs)
      : null;
    return missingOutput(model, task, outputs) ?? barcode;
  }

  /** Whether a running task asks for a person. */
  isAsking(task: number): boolean {
    return this.ends.has(task) && this.parts.model.tasks[task]!.prompt !== undefined;
  }

  /** A person says that a running task which asks for them is done, and what it returned. */
  answer(task: number, outputs: DataOutputs): void {
    this.ends.get(task)!();
    this.end(task, null, outputs);
  }

  /** What persons are asked to do now. */
  get prompts(): RunPrompt[] {
    const { model, progress, supplies } = this.parts;
    const asked = [...this.ends.keys()].flatMap((task) => {
      const { id, prompt, time_out_s } = model.tasks[task]!;
      if (prompt === undefined) return [];
      const { instrument, start_s } = progress.tasks[task]!;
      const times_out_at_s = Number.isFinite(time_out_s) ? start_s! + time_out_s : null;
      const instrument_id = model.instruments[instrument]!.id;
      const outputs = askedOf(model, task);
      return [{ task_id: id, instrument_id, prompt, since_s: start_s!, times_out_at_s, outputs }];
    });
    return [...asked, ...supplies.prompts(progress)];
  }

  private end(task: number, error: string | null, outputs: DataOutputs | null = null): void {
    const { progress, now_s, onEnded } = this.parts;
    this.ends.delete(task);
    progress.endTask(task, now_s(), error, outputs);
    this.publish(task, error === null ? 'succeeded' : 'failed', error ?? '');
    onEnded(task, error);
  }

  private publish(task: number, state: 'started' | 'succeeded' | 'failed', error: string): void {
    const { model, log, progress } = this.parts;
    const { id, action } = model.tasks[task]!;
    const instrument_id = model.instruments[progress.tasks[task]!.instrument]!.id;
    log.publish('TaskStateChangeHook', { task_id: id, instrument_id, state, action, error });
  }

  /** Ends a failed task as done by the operator. */
  complete(task: number, outputs: DataOutputs): void {
    const { progress, now_s } = this.parts;
    progress.complete(task, now_s(), outputs);
    this.publish(task, 'succeeded', '');
  }

  /** Fails a task that cannot start on its instrument because its labware was not delivered. */
  failUnstarted(
    { task, instrument }: Pick<PlannedTask, 'task' | 'instrument'>,
    error: string,
    { publish }: { readonly publish: boolean },
  ): void {
    const { progress, now_s } = this.parts;
    if (progress.tasks[task]!.state !== 'waiting') return;
    progress.tasks[task]!.instrument = instrument;
    progress.endTask(task, now_s(), error);
    if (publish) this.publish(task, 'failed', error);
  }

  /** Fails every running task on an instrument that is down. */
  failOnDown(isDown: (instrument: number) => boolean): void {
    const { progress, model } = this.parts;
    for (const task of progress.runningTasks) {
      const { instrument } = progress.tasks[task]!;
      const cancel = this.ends.get(task);
      // The failure of one may have ended the run, and with it the others.
      if (!cancel || !isDown(instrument)) continue;
      cancel();
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
