/** A robot on emulated servos, without the service: robot and driver, ticked by the test. */

import { expect } from 'vitest';
import { stationarySetpoint } from '../../bridge/arm-driver.cases.ts';
import { type ArmDriver, type Setpoint, TICK_S } from '../../bridge/arm-driver.ts';
import { MirroredArm } from '../../bridge/mirrored-arm.ts';
import {
  type ArmFixture,
  CURRENT_BASED,
  createServoFixture,
  FAMILIES,
  passTick,
} from '../../bridge/servo/servo-arm.cases.ts';
import { InverseDynamics } from '../../physics/dynamics/inverse-dynamics.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import { planGoTo } from '../../physics/toolpath/go-to.ts';
import type { Command } from './commands.ts';
import type { LoopEvent } from './loop-event.ts';
import { Robot } from './robot.ts';
import { ADA, toolpathOf } from './robot-harness.cases.ts';

export const SERVO_START = [0, 0.4, -1.4, 0, -1, 0];
const AWAY = [0.8, 0.4, -1.4, 0, -1, 0];
const SPEED_M_S = 0.5;
/** The joint that meets the obstacle. */
const JOINT = 0;

/** Emulated servos and a driver of them. */
type Servos = Omit<ArmFixture, 'arm'> & { readonly arm: ArmDriver };

type CreateServos = (
  options: Parameters<(typeof FAMILIES)[number]['create']>[0],
) => Promise<Servos>;

/** DYNAMIXEL servos with a model of the arm beside them. */
async function createMirrored(options: Parameters<CreateServos>[0]): Promise<Servos> {
  const fixture = await createServoFixture(options);
  const log = { warn: () => {}, info: () => {} };
  return { ...fixture, arm: new MirroredArm({ real: fixture.arm, timed: fixture.link, log }) };
}

/** All that drives servos. */
export const SERVO_DRIVERS: readonly { readonly family: string; readonly create: CreateServos }[] =
  [
    ...FAMILIES,
    { family: 'current-based dynamixel', create: CURRENT_BASED.create },
    { family: 'mirrored dynamixel', create: createMirrored },
  ];

/** A robot that drives emulated servos, ticked by the test. */
export class ServoRobot {
  readonly robot: Robot;
  readonly log: string[] = [];
  private readonly fixture: Servos;
  private feedback: ReturnType<ArmDriver['exchange']>;
  private tick = 0;

  private constructor(fixture: Servos) {
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
    create: CreateServos,
    start: readonly number[] = SERVO_START,
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

  get faults() {
    return this.fixture.faults;
  }

  get emulator() {
    return this.fixture.emulator;
  }

  /** What the driver does about a contact. */
  get reaction() {
    return this.feedback.reaction ?? null;
  }

  get state() {
    return this.robot.memory.state;
  }

  /** Largest torque of a joint beyond its load (N m), which presses on something. */
  pressing_n_m(payload_kg = 0): number {
    const load_n_m = new Float64Array(6);
    const dynamics = new InverseDynamics();
    dynamics.setPayload(payload_kg);
    dynamics.gravity(this.plant.position_rad, load_n_m);
    return largestDifference(this.plant.torque_n_m, load_n_m);
  }

  /** Gives the arm a load (kg) of which its toolpath knows. */
  carry(payload_kg: number): void {
    this.plant.setPayload(payload_kg);
    const toolpath = toolpathOf([], { payload_kg });
    expect(this.apply({ kind: 'load', caller: ADA, toolpath })).toBeNull();
  }

  apply(command: Command): unknown {
    const refusal = this.robot.apply(command, this.tick);
    this.note();
    return refusal;
  }

  /** Whether a pose (rad) can be reached from here without touching the arm or the ground. */
  canGoTo(joints: readonly number[]): boolean {
    const start = Float64Array.from(this.robot.restPose);
    return planGoTo({ start, joints, mode: 'automatic', max_speed: SPEED_M_S }).ok;
  }

  /** Sends the arm to a pose (rad); expects that the robot takes it. */
  goTo(joints: readonly number[], speed_m_s = SPEED_M_S): void {
    const start = Float64Array.from(this.robot.restPose);
    const plan = planGoTo({ start, joints, mode: 'automatic', max_speed: speed_m_s });
    if (!plan.ok) throw new Error(plan.message);
    const { path, profile } = plan.segment;
    const caps = { tool_speed_m_s: speed_m_s, tool_offset_m: [0, 0, 0] as const };
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
