/**
 * A planner around another that can be made slow, or to fail: what a loaded machine and a broken
 * plan look like from above. While neither is wanted it hands everything through.
 */
import type { Toolpath } from '../../contract/types.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { GoToRequest, GoToResult } from '../../physics/toolpath/go-to.ts';
import { type WallClock, waitUnreferenced } from '../clock/wall-clock.ts';
import type { Halt } from '../robot/mover.ts';
import type { PlanError, ProgramPlan } from './plan-tasks.ts';
import type { BuiltTrajectory, Planner } from './planner.ts';

/** What is wanted of the next plan. */
export interface PlanDisturbance {
  /** Wall time that it takes longer (s). */
  readonly delay_s: number;
  readonly fails: boolean;
}

const FAILED = 'The planner was made to fail';

function planError(): PlanError {
  const error = `${FAILED} (generation_error).`;
  return { kind: 'hard', error, code: 'generation_error', path: '' };
}

function goToError(): GoToResult {
  return { ok: false, code: 'generation_error', path: '', message: FAILED };
}

function trajectoryError(): BuiltTrajectory {
  const outcome = planError();
  const trajectory = { error: outcome.error };
  const json = new TextEncoder().encode(JSON.stringify(trajectory));
  return { outcome, json, trajectory };
}

/** The planner, disturbable. */
export class DisturbedPlanner implements Planner {
  private readonly inner: Planner;
  private readonly wall: WallClock;
  /** Asked before each plan; null: none is disturbed. */
  disturbance: (() => PlanDisturbance) | null = null;

  constructor(inner: Planner, wall: WallClock) {
    this.inner = inner;
    this.wall = wall;
  }

  private async plan<Value>(task: () => Promise<Value>, error: () => Value): Promise<Value> {
    const wanted = this.disturbance?.();
    if (wanted && wanted.delay_s > 0) await waitUnreferenced(this.wall, wanted.delay_s * 1000);
    return wanted?.fails ? error() : task();
  }

  build(toolpath: Toolpath): Promise<BuiltTrajectory> {
    return this.plan(() => this.inner.build(toolpath), trajectoryError);
  }

  program(toolpath: Toolpath): Promise<ProgramPlan> {
    return this.plan(() => this.inner.program(toolpath), planError);
  }

  goTo(request: GoToRequest): Promise<GoToResult> {
    return this.plan(() => this.inner.goTo(request), goToError);
  }

  /** Slow at worst: a halted motion can always be resumed. */
  resume(halt: Halt): Promise<TimeProfile> {
    return this.inner.resume(halt);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
