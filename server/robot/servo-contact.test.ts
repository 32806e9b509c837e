/**
 * A robot on emulated servos after it has run into something: one call leads out of it, the move
 * away succeeds, and no state hides what becomes of a servo. Robot and driver without the service.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../../bridge/arm-driver.cases.ts';
import { type Setpoint, TICK_S } from '../../bridge/arm-driver.ts';
import { EmulatedServo } from '../../bridge/dynamixel/emulator/emulated-servo.ts';
import { StsServo } from '../../bridge/feetech/emulator/emulated-servo.ts';
import {
  type ArmFixture,
  CURRENT_BASED,
  FAMILIES,
  passTick,
} from '../../bridge/servo/servo-arm.cases.ts';
import { planGoTo } from '../../physics/toolpath/go-to.ts';
import type { Command } from './commands.ts';
import type { LoopEvent } from './loop-event.ts';
import { Robot } from './robot.ts';
import { ADA } from './robot-harness.cases.ts';

const START = [0, 0.4, -1.4, 0, -1, 0];
const AWAY = [0.8, 0.4, -1.4, 0, -1, 0];
/** A pose in which shoulder and elbow carry a load. */
const LEANING = [0.3, 0.9, -0.8, 0.4, -0.7, 0.2];
const SPEED_M_S = 0.5;
/** The joint that meets the obstacle. */
const JOINT = 0;

/** A robot that drives emulated servos, ticked by the test. */
class ServoRobot {
  readonly robot: Robot;
  readonly log: string[] = [];
  private readonly fixture: ArmFixture;
  private feedback: ReturnType<ArmFixture['arm']['exchange']>;
  private tick = 0;

  private constructor(fixture: ArmFixture) {
    this.fixture = fixture;
    this.feedback = fixture.arm.exchange(stationarySetpoint('hold'), TICK_S);
    this.robot = new Robot({
      feedback: this.feedback,
      epoch_ms: 0,
      timezone: 'UTC',
      seed: 1,
      recover: () => fixture.arm.recover(),
    });
  }

  static async started(
    create: (typeof FAMILIES)[number]['create'],
    start: readonly number[] = START,
  ): Promise<ServoRobot> {
    const fixture = await create({ start, supported: true });
    await fixture.clock.until(fixture.arm.start());
    const robot = new ServoRobot(fixture);
    await robot.advance(1);
    robot.apply({ kind: 'lock', caller: ADA });
    return robot;
  }

  get plant() {
    return this.fixture.emulator.plant;
  }

  get emulator() {
    return this.fixture.emulator;
  }

  get state() {
    return this.robot.memory.state;
  }

  apply(command: Command): unknown {
    const refusal = this.robot.apply(command, this.tick);
    this.note();
    return refusal;
  }

  /** Sends the arm to a pose (rad); expects that the robot takes it. */
  goTo(joints: readonly number[]): void {
    const start = Float64Array.from(this.robot.restPose);
    const plan = planGoTo({ start, joints, mode: 'automatic', max_speed: SPEED_M_S });
    if (!plan.ok) throw new Error(plan.message);
    const { path, profile } = plan.segment;
    const caps = { tool_speed_m_s: SPEED_M_S, tool_offset_m: [0, 0, 0] as const };
    const motion = { path, profile, caps, start };
    const refusal = this.apply({ kind: 'go_to', caller: ADA, mode: 'automatic', motion });
    expect(refusal).toBeNull();
  }

  /** Plays ticks until `done` or the time is over (s). */
  async advance(duration_s: number, done: () => boolean = () => false): Promise<void> {
    for (let t_s = 0; t_s < duration_s && !done(); t_s += TICK_S) {
      const setpoint: Setpoint = this.robot.tick(this.feedback, this.tick);
      this.feedback = this.fixture.arm.exchange(setpoint, TICK_S);
      this.robot.observe(this.feedback);
      this.tick += 1;
      this.note();
      await passTick(this.fixture);
    }
    this.emulator.catchUp();
  }

  private note(): void {
    for (const event of this.robot.takeEvents() as LoopEvent[]) {
      if (event.kind === 'log') this.log.push(`${event.level}: ${event.text}`);
    }
  }

  /** Runs into an obstacle in the way of its first joint. */
  async runInto(detects: boolean): Promise<void> {
    this.apply({
      kind: 'collision_detection',
      caller: ADA,
      enabled: detects,
      sensitivity: 'medium',
    });
    this.goTo(AWAY);
    await this.advance(3, () => this.plant.position_rad[JOINT]! > 0.4);
    this.plant.blocked.add(JOINT);
    await this.advance(3, () => this.state !== 'running');
    expect(this.state).toBe(detects ? 'collision' : 'error');
    await this.advance(5);
  }

  close(): Promise<void> {
    return this.fixture.close();
  }
}

const VARIANTS = [...FAMILIES, { ...CURRENT_BASED, family: 'current-based dynamixel' }];

describe.each(VARIANTS)('a robot on $family servos that has run into something', ({ create }) => {
  it.each([true, false])('leaves it by one call and moves away, detection: %s', async (detects) => {
    const arm = await ServoRobot.started(create);
    await arm.runInto(detects);
    const kind = detects ? 'acknowledge_collision' : 'reset_errors';
    expect(arm.apply({ kind, caller: ADA })).toBeNull();
    await arm.advance(0.1);
    expect(arm.state).toBe('ready');
    await arm.advance(5);
    expect(arm.state).toBe('ready');
    // The obstacle stands where it stood: the way back is free.
    arm.plant.blocked.clear();
    arm.goTo(START);
    await arm.advance(3, () => arm.state !== 'running');
    expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
    await arm.close();
  });

  it('says an overload of another servo in it', async () => {
    const arm = await ServoRobot.started(create);
    await arm.runInto(true);
    arm.emulator.servo(3).fail('overload');
    await arm.advance(0.05);
    expect([arm.state, arm.robot.memory.error]).toEqual([
      'error',
      expect.stringMatching(/J3 \(servo 3\) reports: it is overloaded/),
    ]);
    await arm.close();
  });

  it('says a servo without torque while the emergency stop is pressed', async () => {
    const arm = await ServoRobot.started(create);
    arm.apply({ kind: 'estop', engaged: true });
    await arm.advance(0.5);
    arm.emulator.servo(5).fail('overload');
    await arm.advance(0.05);
    const said = /J5 \(servo 5\) reports: it is overloaded/;
    expect([arm.state, arm.robot.memory.error]).toEqual(['disabled', expect.stringMatching(said)]);
    expect(arm.log.filter((text) => said.test(text))).toHaveLength(1);
    arm.apply({ kind: 'estop', engaged: false });
    await arm.advance(0.5, () => arm.state !== 'disabled');
    expect(arm.state).toBe('error');
    await arm.close();
  });
});

describe.each(FAMILIES)('a robot that holds an arm of $family servos', ({ create }) => {
  it.each([1, 2, 3, 4, 5, 6])(
    'names joint %i before it has fallen, when its force goes',
    async (id) => {
      const arm = await ServoRobot.started(create, LEANING);
      const joint = id - 1;
      const before = arm.plant.position_rad[joint]!;
      const way = () => Math.abs(arm.plant.position_rad[joint]! - before);
      // The torque register of the servo still says that it holds.
      const servo = arm.emulator.servo(id);
      if (servo instanceof EmulatedServo) servo.memory.set('goal_pwm', 0);
      else if (servo instanceof StsServo) servo.memory.set('torque_limit', 0);
      let moving_s = 0;
      await arm.advance(3, () => {
        if (way() > 0.002) moving_s += TICK_S;
        return arm.state !== 'ready';
      });
      // A joint without a load, or with less than its friction, stays where it is.
      if (arm.state === 'ready') {
        expect(way()).toBeLessThan(0.03);
        expect([2, 3]).not.toContain(id);
      } else {
        expect([arm.state, arm.robot.memory.error]).toEqual([
          'error',
          expect.stringMatching(
            new RegExp(
              `^J${id} \\(servo ${id}\\) moved by .* rad while it holds; it has lost its force`,
            ),
          ),
        ]);
        expect(way()).toBeLessThan(0.03);
        expect(moving_s).toBeLessThan(0.1);
      }
        await arm.close();
    },
  );

  it('hides no fault while it is updated', async () => {
    const arm = await ServoRobot.started(create, LEANING);
    expect(arm.apply({ kind: 'begin_update' })).toBeNull();
    await arm.advance(0.1);
    arm.emulator.servo(3).fail('overload');
    await arm.advance(0.1);
    const said = /J3 \(servo 3\) reports: it is overloaded/;
    expect([arm.state, arm.robot.memory.error]).toEqual(['updating', expect.stringMatching(said)]);
    expect(arm.log.filter((text) => said.test(text))).toHaveLength(1);
    arm.apply({ kind: 'finish_update' });
    await arm.advance(5, () => arm.state === 'error');
    expect(arm.state).toBe('error');
    await arm.close();
  });
});
