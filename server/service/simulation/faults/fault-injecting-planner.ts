import type { TimeProfile } from '../../../../physics/motion/time-profile.ts';
import type { GoToRequest, GoToResult } from '../../../../physics/toolpath/go-to.ts';
import { type WallClock, waitUnreferenced } from '../../../clock/wall-clock.ts';
import type { ToolpathText } from '../../../documents/toolpath-text.ts';
import type { PlanError } from '../../../planning/plan-tasks.ts';
import type {
  BuiltTrajectory,
  LoadedPlan,
  LoadRequest,
  Planner,
  PlanningRefusal,
} from '../../../planning/planner.ts';
import type { ToolpathTask } from '../../../robot/loaded-toolpath.ts';
import type { PausedMotion } from '../../../robot/trajectory-player.ts';
import type { Claimant } from '../../../shares/claimant.ts';
import type { FaultRules } from './fault-rules.ts';
import type { PlannerFault } from './injected-faults.ts';

const FAILED = 'Planning failed because of an injected fault';

function failedPlan(): PlanError {
  const error = `${FAILED} (generation_error).`;
  return { kind: 'hard', error, code: 'generation_error', path: '' };
}

function failedGoTo(): GoToResult {
  return { ok: false, code: 'generation_error', path: '', message: FAILED };
}

function failedTrajectory(): BuiltTrajectory {
  const outcome = failedPlan();
  const trajectory = { error: outcome.error };
  const json = new TextEncoder().encode(JSON.stringify(trajectory));
  return { outcome, json, trajectory };
}

/** A planner that injects delays and failures into another one. */
export class FaultInjectingPlanner implements Planner {
  private readonly inner: Planner;
  private readonly wall: WallClock;
  private readonly faults: FaultRules<null, PlannerFault>;

  constructor(inner: Planner, wall: WallClock, faults: FaultRules<null, PlannerFault>) {
    this.inner = inner;
    this.wall = wall;
    this.faults = faults;
  }

  private async plan<Value>(task: () => Promise<Value>, error: () => Value): Promise<Value> {
    const fault = this.faults.match(null);
    if (fault && fault.delay_s > 0) await waitUnreferenced(this.wall, fault.delay_s * 1000);
    return fault?.fails ? error() : task();
  }

  build(toolpath: ToolpathText, claimant: Claimant): Promise<BuiltTrajectory | PlanningRefusal> {
    return this.plan(() => this.inner.build(toolpath, claimant), failedTrajectory);
  }

  load(request: LoadRequest): Promise<LoadedPlan | PlanningRefusal> {
    return this.plan(() => this.inner.load(request), failedPlan);
  }

  /** Injects no fault: nothing is planned. */
  taskOf(toolpath: ToolpathText): ToolpathTask {
    return this.inner.taskOf(toolpath);
  }

  goTo(request: GoToRequest): Promise<GoToResult> {
    return this.plan(() => this.inner.goTo(request), failedGoTo);
  }

  /** Injects no fault: a paused motion can always be resumed. */
  resume(motion: PausedMotion, claimant: Claimant): Promise<TimeProfile | PlanningRefusal> {
    return this.inner.resume(motion, claimant);
  }

  /** Injects no fault: nothing waits for it. */
  checkInCell(
    ...[task, claimant]: Parameters<Planner['checkInCell']>
  ): ReturnType<Planner['checkInCell']> {
    return this.inner.checkInCell(task, claimant);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
