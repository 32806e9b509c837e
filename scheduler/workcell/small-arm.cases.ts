/** A robot on an ideal arm with its loop and timers, for tests of workflow modules. Test code. */

import { type ArmRange, MODEL_RANGE } from '../../physics/arm/arm-range.ts';
import { solveInverse } from '../../physics/kinematics/inverse.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import { RobotArm } from '../../server/app/robot-arm.ts';
import { Timers } from '../../server/clock/timers.ts';
import { systemClock } from '../../server/clock/wall-clock.ts';
import { createPlanner, type Planner } from '../../server/planning/planner.ts';
import { ControlLoop } from '../../server/robot/loop.ts';
import { Robot } from '../../server/robot/robot.ts';
import { IdealArm } from '../../server/robot/robot-harness.cases.ts';
import { HOME } from '../definition/small-model.cases.ts';

/** Joint angles that put the flange, which points down, at a position (m); `tilt_rad` about x. */
export function jointsAt(
  [x, y, z]: readonly [number, number, number],
  tilt_rad = 0,
): [number, number, number, number, number, number] {
  const [c, s] = [Math.cos(tilt_rad), Math.sin(tilt_rad)];
  const down = [1, 0, 0, 0, -c, s, 0, -s, -c];
  const pose = Float64Array.of(...down, x, y, z);
  const guess = [-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191];
  const reply = solveInverse({ pose, guess, tool: createTool(), range: MODEL_RANGE });
  if (!reply.ok) throw new Error(reply.message);
  const [a, b, c3, d, e, f] = reply.joints;
  return [a!, b!, c3!, d!, e!, f!];
}

/** A range of the joints whose second joint reaches half of the way from `from` to `to`. */
export function rangeTowards(from: readonly number[], to: readonly number[]): ArmRange {
  const [min_rad, max_rad] = [Array.from(MODEL_RANGE.min_rad), Array.from(MODEL_RANGE.max_rad)];
  const half = (from[1]! + to[1]!) / 2;
  if (from[1]! < to[1]!) max_rad[1] = half;
  else min_rad[1] = half;
  return { min_rad, max_rad };
}

/** A robot at rest, with the loop that ticks it. */
export class SmallArm {
  readonly arm = new IdealArm();
  readonly timers = new Timers();
  readonly robot: Robot;
  readonly loop: ControlLoop;

  constructor(joints: ArrayLike<number> = HOME, range: ArmRange | null = null) {
    const { arm, timers } = this;
    arm.feedback.position_rad.set(joints);
    const options = { feedback: arm.feedback, epoch_ms: 0, timezone: 'UTC', seed: 1, range };
    const recover = () => {
      Object.assign(arm.feedback, { fault: null, contact: null });
      return true;
    };
    this.robot = new Robot({ ...options, recover });
    this.loop = new ControlLoop({
      robot: this.robot,
      driver: {
        name: 'ideal',
        pace: 'any',
        start: async () => arm.feedback,
        stop: async () => {},
        exchange: (setpoint) => arm.exchange(setpoint),
        recover,
      },
      worldPorts: { world: null, driverFaults: null },
      timers,
      feedback: arm.feedback,
      epoch_ms: 0,
      listeners: [],
    });
  }

  /** The arm as the scheduler knows it. */
  get port(): RobotArm {
    return this.portWith(createPlanner({ wall: systemClock, inline: true }));
  }

  portWith(planner: Pick<Planner, 'load' | 'resume'>): RobotArm {
    return new RobotArm({ robot: this.robot, loop: this.loop, planner });
  }

  /** Runs so many ticks, or until `stop` says so. */
  run(ticks: number, stop: () => boolean = () => false): void {
    this.loop.runTo(this.loop.tick + ticks, { jump: false, stop });
  }
}
