/**
 * Plans for the server without ever holding the loop: what is cheap on the spot, the rest on the
 * planning threads, builds kept by hash. Failures of a motion are answers; only bugs reject.
 * Spec §4.2, §4.3, §4.5; decisions D16, D41.
 */
import { createHash } from 'node:crypto';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Toolpath, Trajectory } from '../../contract/types.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { GoToRequest, GoToResult } from '../../physics/toolpath/go-to.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Halt } from '../robot/mover.ts';
import { PlanCache } from './plan-cache.ts';
import { type PlanError, type ProgramPlan, planTasks, type TrajectoryText } from './plan-tasks.ts';
import { PlanningPool } from './planning-pool.ts';

export interface PlannerOptions {
  readonly wall: WallClock;
  /** Plans everything on the calling thread: for tests and small tools. */
  readonly inline?: boolean;
  /** Room for kept trajectories, and again for kept programs (bytes). */
  readonly cache_bytes?: number;
  /** Wall time that one build may take (s). */
  readonly build_limit_s?: number;
}

/** A build as replies carry it. */
export interface BuiltTrajectory {
  readonly outcome: { readonly kind: 'built' } | PlanError;
  /** JSON text (UTF-8) of the trajectory, ready to be sent. */
  readonly json: Uint8Array;
  /** The same as an object; parsing it takes the time of the thread that asks. */
  readonly trajectory: Trajectory;
}

export interface Planner {
  /** The trajectory of a toolpath that has passed schema and toolpath check. */
  build(toolpath: Toolpath): Promise<BuiltTrajectory>;
  /** The program that a robot plays. Shared by all callers: read only. */
  program(toolpath: Toolpath): Promise<ProgramPlan>;
  goTo(request: GoToRequest): Promise<GoToResult>;
  /** The rest of a halted motion; its profile begins at the path's `s`. */
  resume(halt: Halt): Promise<TimeProfile>;
  /** Gives the planning threads up. */
  close(): Promise<void>;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const BUILD_LIMIT_S = 120;
/** A step without its numbers, roughly (bytes). */
const STEP_BYTES = 400;

/** Resuming a joint line is as cheap as planning one; a table needs its own timing search. */
function isCheap(halt: Halt): boolean {
  return halt.path.kind === 'line';
}

class BuiltText implements BuiltTrajectory {
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
    const room = options.cache_bytes ?? CACHE_BYTES;
    this.trajectories = new PlanCache(room, ({ outcome, json }) =>
      isPassing(outcome) ? null : json.byteLength,
    );
    this.programs = new PlanCache(room, programBytes);
  }

  build(toolpath: Toolpath): Promise<BuiltTrajectory> {
    const argument = JSON.stringify(toolpath);
    return this.trajectories.get(keyOf(argument), async () => {
      if (!this.pool) return new BuiltText(planTasks.trajectory(argument));
      const { pool } = this;
      const done = await this.limited((signal) =>
        pool.run({ task: 'trajectory', argument }, signal),
      );
      return new BuiltText(done.ok ? done.value : errorText(done.error));
    });
  }

  program(toolpath: Toolpath): Promise<ProgramPlan> {
    const argument = JSON.stringify(toolpath);
    return this.programs.get(keyOf(argument), async () => {
      if (!this.pool) return planTasks.program(argument);
      const { pool } = this;
      const { wall } = this.options;
      const done = await this.limited((signal) => pool.runProgram(argument, signal, wall));
      return done.ok ? done.value : done.error;
    });
  }

  async goTo(request: GoToRequest): Promise<GoToResult> {
    return planTasks.goTo(request);
  }

  async resume(halt: Halt): Promise<TimeProfile> {
    const { pool } = this;
    if (!pool || isCheap(halt)) return planTasks.resume(halt);
    const call = { task: 'resume', argument: halt } as const;
    const done = await this.limited((signal) => pool.run(call, signal));
    return done.ok ? done.value : planTasks.resume(halt);
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }

  /** Runs a task within the wall-time limit; fails when it took longer or found no place. */
  private async limited<Value extends object>(
    start: (signal: AbortSignal) => Promise<Value | 'busy'>,
  ): Promise<Result<Value, PlanError>> {
    const limit_s = this.options.build_limit_s ?? BUILD_LIMIT_S;
    const abort = new AbortController();
    const cancel = this.options.wall.afterUnreferenced(limit_s * 1000, () => abort.abort());
    try {
      const answer = await start(abort.signal);
      return answer === 'busy' ? failure(passing(BUSY)) : success(answer);
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return failure(passing(`The toolpath was not planned within ${limit_s} s`));
    } finally {
      cancel();
    }
  }
}

const BUSY = 'Too many toolpaths are being planned; try again';

/** Names a toolpath by its text; the canonical hash of the wire costs the loop more. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** An error of the moment and not of the toolpath: it has no place in it and is never kept. */
function passing(why: string): PlanError {
  return { kind: 'hard', error: `${why} (generation_error).`, code: 'generation_error', path: '' };
}

function isPassing(outcome: { readonly kind: string; readonly path?: string }): boolean {
  return outcome.path === '';
}

function errorText(outcome: PlanError): TrajectoryText {
  return { outcome, json: new TextEncoder().encode(JSON.stringify({ error: outcome.error })) };
}

function programBytes(plan: ProgramPlan): number | null {
  if (plan.kind !== 'built') return isPassing(plan) ? null : STEP_BYTES;
  return plan.bytes + plan.program.steps.length * STEP_BYTES;
}

/** A planner on the process's planning threads, or all inline. */
export function createPlanner(options: PlannerOptions): Planner {
  return new ThreadedPlanner(options);
}
