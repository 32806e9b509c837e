/** The tasks of a run that have not started, with the reasons. */

import type { WaitingTask } from '../../contract/types.generated.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import { blockedBy } from './blocked-by.ts';
import { moveReasons, taskReasons } from './readiness.ts';
import type { Run } from './run.ts';

/** What a pause holds of a task: everything, or the moves by the arm that it still needs. */
function holdReasons({ run, model, usesArm }: ShownRun, task: number, moves: number): string[] {
  const { hold, progress } = run;
  if (hold === null) return [];
  const { uses } = model.tasks[task]!;
  const isCarried = uses.some(({ labware }) => progress.locations[labware] === null);
  const isFetched = progress.moves.some((one) => one.end_s === null && one.move.task === task);
  const needsArm = usesArm && (moves > 0 || isCarried || isFetched);
  return hold.what === 'all' || needsArm ? [hold.reason] : [];
}

interface ShownRun {
  readonly run: Run;
  readonly model: WorkflowModel;
  /** Whether the run moves the arm now. */
  readonly usesArm: boolean;
}

/** Returns every task that has not started, with the reasons. */
export function waitingOf(shown: ShownRun): WaitingTask[] {
  const { model, run } = shown;
  const { progress, plan, workcell } = run;
  return model.tasks.flatMap(({ id }, task) => {
    if (progress.tasks[task]!.state !== 'waiting') return [];
    const planned = plan.taskTimes(task);
    const moves = plan.current.moves.filter(
      (move) => move.task === task && !progress.hasStarted(move),
    );
    const blocks = taskReasons(workcell, task, planned?.instrument ?? -1);
    // A later move of a piece waits for the first one, which says why it waits.
    const first = moves.filter(
      ({ labware }, i) => moves.findIndex((one) => one.labware === labware) === i,
    );
    blocks.push(...first.flatMap((move) => moveReasons(workcell, move)));
    // The planner finds the same reasons in words of its own.
    if (blocks.length === 0) blocks.push(...plan.faults);
    const reasons = [...holdReasons(shown, task, moves.length), ...blocks];
    const start_s = Math.round(planned?.start_s ?? 0);
    if (reasons.length === 0) reasons.push(`it is planned for ${start_s} s`);
    const plannedOn = (other: number) => plan.taskTimes(other)?.instrument ?? -1;
    const blocked_by = blockedBy(workcell, task, { now_s: run.now_s, plannedOn });
    return [{ task_id: id, reasons: [...new Set(reasons)], blocked_by }];
  });
}
