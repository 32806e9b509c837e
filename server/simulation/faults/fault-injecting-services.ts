/**
 * Planner, event stream and updates that inject faults: slow or failed plans, dropped or delayed
 * messages, failed installations.
 */

import type { TimeProfile } from '../../../physics/motion/jerk-phases.ts';
import type { MotionTiming } from '../../../physics/motion/limits.ts';
import type { GoToRequest, GoToResult } from '../../../physics/toolpath/go-to.ts';
import { type WallClock, waitUnreferenced } from '../../clock/wall-clock.ts';
import type { ToolpathText } from '../../documents/document-tasks.ts';
import type { PlanError, ProgramPlan } from '../../planning/plan-tasks.ts';
import type { BuiltTrajectory, Planner } from '../../planning/planner.ts';
import type { PausedMotion } from '../../robot/trajectory-player.ts';
import { Hub, type HubOptions, type StreamMessage } from '../../stream/hub.ts';
import { Updates, type UpdatesParts } from '../../updates/updates.ts';
import type { FaultRules, MessageFault, PlannerFault } from './fault-list.ts';

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

  build(toolpath: ToolpathText): Promise<BuiltTrajectory> {
    return this.plan(() => this.inner.build(toolpath), failedTrajectory);
  }

  program(toolpath: ToolpathText, timing?: MotionTiming | null): Promise<ProgramPlan> {
    return this.plan(() => this.inner.program(toolpath, timing), failedPlan);
  }

  goTo(request: GoToRequest): Promise<GoToResult> {
    return this.plan(() => this.inner.goTo(request), failedGoTo);
  }

  /** Injects no fault: a paused motion can always be resumed. */
  resume(motion: PausedMotion): Promise<TimeProfile> {
    return this.inner.resume(motion);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** A hub that drops or delays messages. */
export class FaultInjectingHub extends Hub {
  private readonly wall: WallClock;
  private readonly faults: FaultRules<string, MessageFault>;

  constructor(options: HubOptions, wall: WallClock, faults: FaultRules<string, MessageFault>) {
    super(options);
    this.wall = wall;
    this.faults = faults;
  }

  protected override dispatch(type: StreamMessage['type'], send: () => void): void {
    const fault = this.faults.match(type);
    if (fault === null) send();
    else if (fault !== 'drop') this.wall.afterUnreferenced(fault.delay_s * 1000, send);
  }
}

interface UpdateFaults {
  readonly rules: FaultRules<null, 'fails'>;
  readonly onFailed: (message: string) => void;
}

/** Updates whose installation can fail. */
export class FaultInjectingUpdates extends Updates {
  private readonly faults: UpdateFaults;

  constructor(parts: UpdatesParts, faults: UpdateFaults) {
    super(parts);
    this.faults = faults;
  }

  protected override saveVersion(version: string): void {
    if (this.faults.rules.match(null) === null) super.saveVersion(version);
    else this.faults.onFailed(`Version ${version} was not installed; the previous version remains`);
  }
}
