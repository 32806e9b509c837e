/** An invariant monitor over a robot whose every part a test sets by hand. Test code. */
import type { JointPath } from '../../physics/motion/joint-path.ts';
import type { MonitoredRobot } from './invariant-monitor.ts';
import { InvariantMonitor } from './invariant-monitor.ts';
import type { InvariantViolation } from './invariant-violations.ts';
import { type Activity, createMemory, type RobotMemory } from './memory.ts';
import { HOME, IdealArm } from './robot-harness.cases.ts';
import { type SnapshotSections, takeSnapshot } from './snapshot-message.ts';

/** A task as far as statements read it. */
export function activityOf(kind: Activity['kind'], mode: Activity['mode'] = 'automatic'): Activity {
  const cursor = { step: 0 } as Activity['cursor'];
  return { kind, mode, scheduled: false, payload_kg: 0, cursor, at: '' };
}

class HandMadeRobot implements MonitoredRobot {
  memory: RobotMemory = createMemory();
  isMoving = false;
  changeTracker: object | null = null;
  readonly reference = Float64Array.from(HOME);
  plannedPath: JointPath | null = null;
  readonly feedback = new IdealArm().feedback;
  isTelemetryDue = false;
  snapshots = 0;

  snapshot(): SnapshotSections {
    const { memory, feedback } = this;
    this.snapshots += 1;
    return takeSnapshot({ memory, feedback, tick: 11, seed: 1 });
  }
}

export class MonitorBench {
  readonly robot = new HandMadeRobot();
  readonly found: InvariantViolation[] = [];
  private started: InvariantMonitor | null = null;

  get monitor(): InvariantMonitor {
    if (this.started === null) throw new Error('The monitor is not started: call start');
    return this.started;
  }

  start(memory: Partial<RobotMemory> = {}, isMoving = false): void {
    const { robot, found } = this;
    Object.assign(robot.memory, memory);
    robot.isMoving = isMoving;
    robot.feedback.standing = !isMoving;
    this.started = new InvariantMonitor({
      robot,
      feedback: robot.feedback,
      onViolation: (violation) => found.push(violation),
    });
  }

  startMotion(memory: Partial<RobotMemory> = {}): void {
    this.start({ state: 'running', activity: activityOf('run'), ...memory }, true);
  }

  tickTo(last: number, first = last): void {
    for (let tick = first; tick <= last; tick++) this.monitor.onTick(this.robot.feedback, tick);
  }

  publish(changes: Record<string, unknown>): void {
    this.monitor.onEvents([{ kind: 'state_change', changes }]);
  }

  /** Ticks and statements of the violations. */
  seen(): string[] {
    return this.found.map(({ statement, tick }) => `${tick} ${statement}`);
  }
}
