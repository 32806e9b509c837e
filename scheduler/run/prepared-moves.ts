/**
 * Prepares every labware move of a workflow: its duration and, for moves by the arm, its built
 * program. Moves are prepared before planning, because the plan needs the durations and a run must
 * not wait for the planning threads.
 */

import { isRefusal, type Refusal } from '../../contract/refusal.ts';
import { Slices } from '../../server/clock/turns.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { LoadedToolpath } from '../../server/robot/loaded-toolpath.ts';
import type { PlanningError, ToolpathLoader } from '../arm-port.ts';
import { bufferMoves, possibleMoves } from '../definition/possible-moves.ts';
import { matrixTime_s } from '../definition/transport-matrix.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import { type PlannedLabwareMove, placesFor } from '../plan/problem.ts';
import { isPlaceOn, type SlotLocation } from '../plan/slot-location.ts';
import {
  type CarryTimes,
  carryTimes,
  moveToolpath,
  putDownToolpathFor,
} from '../workcell/move-toolpath.ts';
import type { RunProgress } from './progress.ts';

interface PreparedMove {
  readonly toolpath: LoadedToolpath;
  readonly times: CarryTimes;
}

type PlannedMoveTimes = Pick<PlannedLabwareMove, 'from' | 'to' | 'start_s' | 'end_s'>;
type PieceTimes = Pick<PlannedLabwareMove, 'start_s' | 'end_s'>;

function milliseconds(time_s: number): number {
  return Math.round(time_s * 1000) / 1000;
}

function routeKey(from: SlotLocation, to: SlotLocation): string {
  return `${from.instrument}/${from.slot} ${to.instrument}/${to.slot}`;
}

export class PreparedMoves {
  /** True if the arm moves the labware. */
  readonly usesArm: boolean;
  /** Why a move was not planned at present, and with it none of the later ones; null if all were. */
  refusal: Refusal<PlanningError> | null = null;
  /** Moves that the arm cannot make, as messages. */
  readonly problems: string[] = [];
  private readonly prepared = new Map<string, PreparedMove>();
  private readonly model: WorkflowModel;
  private readonly arm: ToolpathLoader;

  private constructor(model: WorkflowModel, arm: ToolpathLoader, byArm: boolean) {
    this.model = model;
    this.arm = arm;
    this.usesArm = byArm;
  }

  /**
   * Builds every move that a plan may contain; `simulated` moves only take time. Stops, with a
   * `refusal`, at one that is not planned at present.
   */
  static async prepare(
    model: WorkflowModel,
    { arm, wall }: { readonly arm: ToolpathLoader; readonly wall: WallClock },
    simulated = false,
  ): Promise<PreparedMoves> {
    const moves = new PreparedMoves(model, arm, model.arm !== null && !simulated);
    if (model.arm === null) return moves;
    const slices = new Slices(wall);
    await slices.next();
    for (const { from, to } of [...possibleMoves(model), ...bufferMoves(model)]) {
      await slices.next();
      moves.refusal = await moves.build(from, to);
      if (moves.refusal) break;
    }
    return moves;
  }

  /**
   * Builds the moves from where the pieces are to where their next tasks need them. A task that is
   * completed by hand or skipped leaves its piece where no move of the first plan begins.
   */
  async prepareNext(progress: RunProgress): Promise<void> {
    const { arm, tasks } = this.model;
    if (arm === null) return;
    for (const [labware, from] of progress.locations.entries()) {
      const task = tasks[progress.nextTaskOf(labware) ?? -1];
      const use = task?.uses.find((one) => one.labware === labware);
      if (from === null || !use) continue;
      for (const to of placesFor(this.model, task!.candidates, use.slot)) {
        if (isPlaceOn(from, to.instrument, use.slot)) continue;
        const refusal = await this.build(from, to);
        if (refusal) this.addProblem(from, to, String(refusal.details));
      }
    }
  }

  private async build(
    from: SlotLocation,
    to: SlotLocation,
  ): Promise<Refusal<PlanningError> | null> {
    const key = routeKey(from, to);
    const move = moveToolpath(this.model.arm!, from, to);
    if (this.prepared.has(key) || !move) return null;
    const name = `${this.name(from)} to ${this.name(to)}`;
    const plan = await this.arm.load(name, move);
    if (isRefusal(plan)) return plan;
    if (plan.kind === 'built') {
      const { loaded } = plan;
      this.prepared.set(key, { toolpath: loaded, times: carryTimes(loaded.program) });
    } else this.addProblem(from, to, plan.error);
    return null;
  }

  private addProblem(from: SlotLocation, to: SlotLocation, reason: string): void {
    this.problems.push(`the arm cannot go from ${this.name(from)} to ${this.name(to)}: ${reason}`);
  }

  private name({ instrument, slot }: SlotLocation): string {
    return `${this.model.instruments[instrument]!.id} slot ${slot}`;
  }

  /** Duration of a move (whole seconds), or null if the arm cannot make it. */
  readonly time_s = (from: SlotLocation, to: SlotLocation): number | null => {
    if (this.model.arm === null) return matrixTime_s(this.model, from, to);
    const times = this.prepared.get(routeKey(from, to))?.times;
    return times ? Math.ceil(times.total_s) : null;
  };

  /**
   * When the gripper closes on the piece of a planned move and when it opens: the planned time of
   * the piece (s). The whole time of the move where no arm moves it.
   */
  pieceTimes({ from, to, start_s, end_s }: PlannedMoveTimes): PieceTimes {
    const prepared = this.usesArm ? this.prepared.get(routeKey(from, to)) : undefined;
    const [close_s, open_s] = prepared?.times.outputs_s ?? [];
    if (close_s === undefined || open_s === undefined) return { start_s, end_s };
    return { start_s: milliseconds(start_s + close_s), end_s: milliseconds(start_s + open_s) };
  }

  /** Returns the toolpath of a move by the arm. */
  toolpath(from: SlotLocation, to: SlotLocation): LoadedToolpath {
    return this.prepared.get(routeKey(from, to))!.toolpath;
  }

  /** Duration of putting down the held labware (whole seconds), or null if the arm cannot. */
  async putDownTime_s(to: SlotLocation): Promise<number | null> {
    if (!this.usesArm) return matrixTime_s(this.model, to, to);
    const toolpath = await this.putDownToolpath(to);
    return toolpath && Math.ceil(carryTimes(toolpath.program).total_s);
  }

  /** Builds the toolpath that puts down the held labware; null if the arm cannot. */
  async putDownToolpath(to: SlotLocation): Promise<LoadedToolpath | null> {
    const move = this.model.arm && putDownToolpathFor(this.model.arm, to);
    if (!move) return null;
    const name = `put down in ${this.name(to)}`;
    const plan = await this.arm.load(name, move);
    return !isRefusal(plan) && plan.kind === 'built' ? plan.loaded : null;
  }
}
