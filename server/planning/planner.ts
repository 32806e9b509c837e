/**
 * Motion planning for the server without blocking the control loop: cheap tasks run inline, the
 * others on planning threads; results are cached by hash. Failed plans are results; only bugs
 * reject. §4.2, §4.3, §4.5; decisions D16, D41.
 */

import { failure, type Result, success } from '../../contract/result.ts';
import type { Trajectory } from '../../contract/types.generated.ts';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import type { MotionTiming } from '../../physics/motion/motion-timing.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { GoToRequest, GoToResult } from '../../physics/toolpath/go-to.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ToolpathText } from '../documents/toolpath-text.ts';
import type { LoadedToolpath, ToolpathTask } from '../robot/loaded-toolpath.ts';
import type { PausedMotion } from '../robot/trajectory-player.ts';
import { PlanCache } from './plan-cache.ts';
import {
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

/** A toolpath to load under a name, with the present timing unless another is given. */
export interface LoadRequest {
  readonly name: string;
  readonly toolpath: ToolpathText;
  readonly timing?: MotionTiming | null;
}

export interface Planner {
  /** Builds the trajectory of a toolpath that passed schema and toolpath check. */
  build(toolpath: ToolpathText): Promise<BuiltTrajectory>;
  /** Builds what the robot executes. The program is shared by all callers: read only. */
  load(request: LoadRequest): Promise<LoadedPlan>;
  /** What is planned of a toolpath with the present timing, for another thread. */
  taskOf(toolpath: ToolpathText): ToolpathTask;
  goTo(request: GoToRequest): Promise<GoToResult>;
  /** Plans the rest of a paused motion; the profile starts at the motion's `s`. */
  resume(motion: PausedMotion): Promise<TimeProfile>;
  /** Releases the planning threads. */
  close(): Promise<void>;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const BUILD_LIMIT_S = 120;
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
  private readonly trajectories: PlanCache<BuiltTrajectory>;
  private readonly programs: PlanCache<ProgramPlan>;

  constructor(options: PlannerOptions) {
    this.options = options;
    this.pool = options.inline ? null : new PlanningPool();
    const limit_bytes = options.cache_bytes ?? CACHE_BYTES;
    this.trajectories = new PlanCache(limit_bytes, ({ outcome, json }) =>
      isTransient(outcome) ? null : json.byteLength,
    );
    this.programs = new PlanCache(limit_bytes, programBytes);
  }

  build(toolpath: ToolpathText): Promise<BuiltTrajectory> {
    const argument = this.taskOf(toolpath);
    return this.trajectories.get(keyOf(toolpath, argument), async () => {
      if (!this.pool) return new LazyTrajectory(planTasks.trajectory(argument));
      const { pool } = this;
      const result = await this.withTimeLimit((signal) =>
        pool.run({ task: 'trajectory', argument }, signal),
      );
      return new LazyTrajectory(result.ok ? result.value : errorTrajectory(result.error));
    });
  }

  private program(toolpath: ToolpathText, argument: ToolpathTask): Promise<ProgramPlan> {
    return this.programs.get(keyOf(toolpath, argument), async () => {
      if (!this.pool) return planTasks.program(argument);
      const { pool } = this;
      const { wall } = this.options;
      const result = await this.withTimeLimit((signal) => pool.runProgram(argument, signal, wall));
      return result.ok ? result.value : result.error;
    });
  }

  async load({ name, toolpath, timing: wanted }: LoadRequest): Promise<LoadedPlan> {
    const task = this.taskOf(toolpath, wanted);
    const plan = await this.program(toolpath, task);
    if (plan.kind !== 'built') return plan;
    const { hash, metadata } = toolpath;
    const { program } = plan;
    const source = sourceOf(task, plan);
    return { kind: 'built', loaded: { name, hash, program, source, metadata } };
  }

  async goTo(request: GoToRequest): Promise<GoToResult> {
    return planTasks.goTo({ ...request, range: this.options.range ?? null });
  }

  async resume(motion: PausedMotion): Promise<TimeProfile> {
    const { pool } = this;
    if (!pool || isCheap(motion)) return planTasks.resume(motion);
    const call = { task: 'resume', argument: motion } as const;
    const result = await this.withTimeLimit((signal) => pool.run(call, signal));
    return result.ok ? result.value : planTasks.resume(motion);
  }

  taskOf({ json: toolpath }: ToolpathText, timing = this.options.timing?.() ?? null): ToolpathTask {
    return { toolpath, timing, range: this.options.range ?? null };
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }

  /** Runs a task within the time limit; fails when it takes longer or the queue is full. */
  private async withTimeLimit<Value extends object>(
    start: (signal: AbortSignal) => Promise<Value | 'busy'>,
  ): Promise<Result<Value, PlanError>> {
    const limit_s = this.options.build_limit_s ?? BUILD_LIMIT_S;
    const abort = new AbortController();
    const cancel = this.options.wall.afterUnreferenced(limit_s * 1000, () => abort.abort());
    try {
      const value = await start(abort.signal);
      return value === 'busy' ? failure(transientError(BUSY)) : success(value);
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return failure(transientError(`The toolpath was not planned within ${limit_s} s`));
    } finally {
      cancel();
    }
  }
}

/** The key of a build in the cache: another timing is another motion. The range never changes. */
function keyOf({ hash }: ToolpathText, { timing }: ToolpathTask): string {
  return timing ? `${hash} ${JSON.stringify(timing)}` : hash;
}

const BUSY = 'Too many toolpaths are being planned; try again';

/** An error that is not caused by the toolpath; its empty path excludes it from the cache. */
function transientError(reason: string): PlanError {
  return {
    kind: 'hard',
    error: `${reason} (generation_error).`,
    code: 'generation_error',
    path: '',
  };
}

function isTransient(outcome: { readonly kind: string; readonly path?: string }): boolean {
  return outcome.path === '';
}

function errorTrajectory(outcome: PlanError): TrajectoryText {
  return { outcome, json: new TextEncoder().encode(JSON.stringify({ error: outcome.error })) };
}

function programBytes(plan: ProgramPlan): number | null {
  if (plan.kind !== 'built') return isTransient(plan) ? null : STEP_BYTES;
  return plan.bytes + plan.program.steps.length * STEP_BYTES;
}

/** Creates a planner on the shared planning threads, or an inline one. */
export function createPlanner(options: PlannerOptions): Planner {
  return new ThreadedPlanner(options);
}
