/**
 * How long each move takes and, where the arm itself moves, its program: built before a plan is
 * made, since the plan needs the times and a run must not wait for the planning threads.
 */

import { hashToolpath } from '../../physics/toolpath/hash.ts';
import type { Planner } from '../planning/planner.ts';
import type { LoadedToolpath } from '../robot/commands.ts';
import { matrixTime_s, type WorkflowModel } from './model.ts';
import { moveToolpath, placeToolpath, programTime_s } from './move-toolpaths.ts';
import type { Place } from './plan/problem.ts';
import { possibleMoves } from './stations.ts';

interface PreparedMove {
  readonly toolpath: LoadedToolpath;
  readonly time_s: number;
}

function keyOf(from: Place, to: Place): string {
  return `${from.instrument}/${from.slot} ${to.instrument}/${to.slot}`;
}

export class Moves {
  /** True where the arm itself moves labware. */
  readonly byArm: boolean;
  /** Moves that the arm cannot make, in sentences. */
  readonly faults: string[] = [];
  private readonly prepared = new Map<string, PreparedMove>();
  private readonly model: WorkflowModel;
  private readonly planner: Planner;

  private constructor(model: WorkflowModel, planner: Planner, byArm: boolean) {
    this.model = model;
    this.planner = planner;
    this.byArm = byArm;
  }

  /** Builds every move that some plan may make; `simulated` moves only take their time. */
  static async prepare(model: WorkflowModel, planner: Planner, simulated: boolean): Promise<Moves> {
    const moves = new Moves(model, planner, model.arm !== null && !simulated);
    if (model.arm === null) return moves;
    for (const { from, to } of possibleMoves(model)) await moves.build(from, to);
    return moves;
  }

  private async build(from: Place, to: Place): Promise<void> {
    const key = keyOf(from, to);
    const toolpath = moveToolpath(this.model.arm!, from, to);
    if (this.prepared.has(key) || !toolpath) return;
    const plan = await this.planner.program(toolpath);
    if (plan.kind !== 'built') {
      this.faults.push(
        `the arm cannot go from ${this.name(from)} to ${this.name(to)}: ${plan.error}`,
      );
      return;
    }
    const name = `${this.name(from)} to ${this.name(to)}`;
    const { metadata } = toolpath;
    const loaded = { name, hash: hashToolpath(toolpath), program: plan.program, metadata };
    this.prepared.set(key, { toolpath: loaded, time_s: Math.ceil(programTime_s(plan.program)) });
  }

  private name({ instrument, slot }: Place): string {
    return `${this.model.instruments[instrument]!.id} slot ${slot}`;
  }

  /** Time of a move (whole seconds), or null where the arm cannot make it. */
  readonly time_s = (from: Place, to: Place): number | null => {
    if (this.model.arm === null) return matrixTime_s(this.model, from, to);
    return this.prepared.get(keyOf(from, to))?.time_s ?? null;
  };

  /** What the arm runs to make a move. */
  toolpath(from: Place, to: Place): LoadedToolpath {
    return this.prepared.get(keyOf(from, to))!.toolpath;
  }

  /** What the arm runs to put down what it holds; null where it cannot. */
  async placing(to: Place): Promise<LoadedToolpath | null> {
    const toolpath = this.model.arm && placeToolpath(this.model.arm, to);
    if (!toolpath) return null;
    const plan = await this.planner.program(toolpath);
    if (plan.kind !== 'built') return null;
    const name = `put down in ${this.name(to)}`;
    const { metadata } = toolpath;
    return { name, hash: hashToolpath(toolpath), program: plan.program, metadata };
  }
}
