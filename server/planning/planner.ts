/**
 * Motion planning for the server without blocking the control loop: cheap tasks run inline, the
 * others on planning threads, where users take turns; results are cached by hash. Failed plans are
 * results; only bugs reject. §4.2, §4.3, §4.5; decisions D16, D41.
 */

import { limits } from '../../contract/limits.ts';
import { isRefusal, type Refusal, refuse } from '../../contract/refusal.ts';
import type { Trajectory } from '../../contract/types.generated.ts';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import { compileCell } from '../../physics/cell/cell-model.ts';
import { type CellCheck, checkInCell } from '../../physics/cell/clearance/cell-check.ts';
import type { MotionTiming } from '../../physics/motion/motion-timing.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { GoToRequest, GoToResult } from '../../physics/toolpath/go-to.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ToolpathText } from '../documents/toolpath-text.ts';
import type { LoadedToolpath, ToolpathTask } from '../robot/loaded-toolpath.ts';
import type { PausedMotion } from '../robot/trajectory-player.ts';
import type { Claimant } from '../shares/claimant.ts';
import type { ShareRefusal } from '../shares/share.ts';
import { PlanCache } from './plan-cache.ts';
import {
  type CellTask,
  type PlanError,
  type ProgramPlan,
  planTasks,
  sourceOf,
  type TrajectoryText,
} from './plan-tasks.ts';
import { PlanningPool } from './planning-pool.ts';

export interface PlannerOptions {
  readonly wall: WallClock;
  /** Plans everything on the calling thread, for tests and tools. */
  readonly inline?: boolean;
  /** Size of the trajectory cache, and of the program cache (bytes). */
  readonly cache_bytes?: number;
  /** Time limit of one build, wall time (s). */
  readonly build_limit_s?: number;
  /** The present timing of the arm's planner; default: always that of the model. */
  readonly timing?: () => MotionTiming | null;
  /** Range of the joints; null or absent: that of the model. */
  readonly range?: ArmRange | null;
}

/** The result of a build, as replies contain it. */
export interface BuiltTrajectory {
  readonly outcome: { readonly kind: 'built' } | PlanError;
  /** The trajectory as JSON text (UTF-8). */
  readonly json: Uint8Array;
  /** The trajectory as an object; parsed on the calling thread at access. */
  readonly trajectory: Trajectory;
}

/** A toolpath with its program. */
export type LoadedPlan = { readonly kind: 'built'; readonly loaded: LoadedToolpath } | PlanError;

/** Why a toolpath was not planned, through no fault of its own: a full share, or the time. */
export type PlanningRefusal = ShareRefusal | Refusal<'timed_out'>;

/** A toolpath to load under a name, with the present timing unless another is given. */
export interface LoadRequest {
  readonly name: string;
  /** For whom it is planned. */
  readonly claimant: Claimant;
  readonly toolpath: ToolpathText;
  readonly timing?: MotionTiming | null;
}

export interface Planner {
  /** Builds the trajectory of a toolpath that passed schema and toolpath check. */
  build(toolpath: ToolpathText, claimant: Claimant): Promise<BuiltTrajectory | PlanningRefusal>;
  /** Builds what the robot executes. The program is shared by all callers: read only. */
  load(request: LoadRequest): Promise<LoadedPlan | PlanningRefusal>;
  /** What is planned of a toolpath with the present timing, for another thread. */
  taskOf(toolpath: ToolpathText): ToolpathTask;
  goTo(request: GoToRequest): Promise<GoToResult>;
  /** Plans the rest of a paused motion; the profile starts at the motion's `s`. */
  resume(motion: PausedMotion, claimant: Claimant): Promise<TimeProfile | PlanningRefusal>;
  /**
   * Looks at a loaded toolpath in a cell, whose objects are as `bodies`, the memory of their states,
   * has them (docs/cell.md).
   */
  checkInCell(
    check: { readonly loaded: LoadedToolpath } & Omit<CellTask, 'source'>,
    claimant: Claimant,
  ): Promise<CellCheck | PlanError | PlanningRefusal>;
  /** Releases the planning threads. */
  close(): Promise<void>;
}

/** Approximate size of a step without its numeric data (bytes). */
const STEP_BYTES = 400;

/** Resuming a joint-space line is cheap; a path table needs a time-optimal search. */
function isCheap({ path }: PausedMotion): boolean {
  return path.kind === 'line';
}

class LazyTrajectory implements BuiltTrajectory {
  readonly outcome: BuiltTrajectory['outcome'];
  readonly json: Uint8Array;

  constructor({ outcome, json }: TrajectoryText) {
    this.outcome = outcome;
    this.json = json;
  }

  get trajectory(): Trajectory {
    return JSON.parse(new TextDecoder().decode(this.json)) as Trajectory;
  }
}

class ThreadedPlanner implements Planner {
  private readonly options: PlannerOptions;
  private readonly pool: PlanningPool | null;
  private readonly trajectories: PlanCache<BuiltTrajectory | PlanningRefusal>;
  private readonly programs: PlanCache<ProgramPlan | PlanningRefusal>;

  constructor(options: PlannerOptions) {
    this.options = options;
    this.pool = options.inline ? null : new PlanningPool();
    const limit_bytes = options.cache_bytes ?? limits.plan_cache_bytes;
    this.trajectories = new PlanCache(limit_bytes, (plan) =>
      isRefusal(plan) ? null : plan.json.byteLength,
    );
    this.programs = new PlanCache(limit_bytes, programBytes);
  }

  build(toolpath: ToolpathText, claimant: Claimant): Promise<BuiltTrajectory | PlanningRefusal> {
    const argument = this.taskOf(toolpath);
    const { pool } = this;
    return this.planned(this.trajectories, keyOf(toolpath, argument), claimant, async () => {
      if (!pool) return new LazyTrajectory(planTasks.trajectory(argument));
      const result = await this.withTimeLimit((signal) =>
        pool.run({ task: 'trajectory', argument }, signal),
      );
      return isRefusal(result) ? result : new LazyTrajectory(result);
    });
  }

  private program(
    toolpath: ToolpathText,
    argument: ToolpathTask,
    claimant: Claimant,
  ): Promise<ProgramPlan | PlanningRefusal> {
    const { pool } = this;
    const { wall } = this.options;
    return this.planned(this.programs, keyOf(toolpath, argument), claimant, async () => {
      if (!pool) return planTasks.program(argument);
      return this.withTimeLimit((signal) => pool.runProgram(argument, signal, wall));
    });
  }

  /**
   * A plan of the cache, or one that is made when its claimant has a turn. A plan that waits is no
   * entry of the cache: others who want the same one wait in their own queue for it.
   */
  private async planned<Plan extends object>(
    cache: PlanCache<Plan | PlanningRefusal>,
    key: string,
    claimant: Claimant,
    plan: () => Promise<Plan | PlanningRefusal>,
  ): Promise<Plan | PlanningRefusal> {
    const make = () => cache.get(key, plan);
    return cache.has(key) || !this.pool ? make() : this.pool.inTurn(claimant, make);
  }

  async load({
    name,
    toolpath,
    timing: wanted,
    claimant,
  }: LoadRequest): Promise<LoadedPlan | PlanningRefusal> {
    const task = this.taskOf(toolpath, wanted);
    const plan = await this.program(toolpath, task, claimant);
    if (isRefusal(plan) || plan.kind !== 'built') return plan;
    const { hash, metadata } = toolpath;
    const { program } = plan;
    const source = sourceOf(task, plan);
    return { kind: 'built', loaded: { name, hash, program, source, metadata } };
  }

  async goTo(request: GoToRequest): Promise<GoToResult> {
    return planTasks.goTo({ ...request, range: this.options.range ?? null });
  }

  async resume(motion: PausedMotion, claimant: Claimant): Promise<TimeProfile | PlanningRefusal> {
    const { pool } = this;
    if (!pool || isCheap(motion)) return planTasks.resume(motion);
    const call = { task: 'resume', argument: motion } as const;
    return pool.inTurn(claimant, () => this.withTimeLimit((signal) => pool.run(call, signal)));
  }

  async checkInCell(
    ...[{ loaded, cell, bodies }, claimant]: Parameters<Planner['checkInCell']>
  ): Promise<CellCheck | PlanError | PlanningRefusal> {
    const { pool } = this;
    if (!pool) {
      const { program, metadata } = loaded;
      return checkInCell(program, compileCell(cell), metadata.tcp_config, bodies);
    }
    // To plan the program once more takes less of the loop's thread than to send it.
    const argument = { source: loaded.source, cell, bodies };
    const call = { task: 'cellCheck', argument } as const;
    return pool.inTurn(claimant, () => this.withTimeLimit((signal) => pool.run(call, signal)));
  }

  taskOf({ json: toolpath }: ToolpathText, timing = this.options.timing?.() ?? null): ToolpathTask {
    return { toolpath, timing, range: this.options.range ?? null };
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }

  /** Runs a task on a thread within the time limit; refuses when it takes longer. */
  private async withTimeLimit<Value extends object>(
    start: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value | Refusal<'timed_out'>> {
    const limit_s = this.options.build_limit_s ?? limits.plan_s;
    const abort = new AbortController();
    const cancel = this.options.wall.afterUnreferenced(limit_s * 1000, () => abort.abort());
    try {
      return await start(abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return refuse('timed_out', `It was not planned within ${limit_s} s; divide it into parts`);
    } finally {
      cancel();
    }
  }
}

/** The key of a build in the cache: another timing is another motion. The range never changes. */
function keyOf({ hash }: ToolpathText, { timing }: ToolpathTask): string {
  return timing ? `${hash} ${JSON.stringify(timing)}` : hash;
}

function programBytes(plan: ProgramPlan | PlanningRefusal): number | null {
  if (isRefusal(plan)) return null;
  if (plan.kind !== 'built') return STEP_BYTES;
  return plan.bytes + plan.program.steps.length * STEP_BYTES;
}

/** Creates a planner on the shared planning threads, or an inline one. */
export function createPlanner(options: PlannerOptions): Planner {
  return new ThreadedPlanner(options);
}
