/** A robot on emulated servos, without the service: robot and driver, ticked by the test. */

import { expect } from 'vitest';
import { stationarySetpoint } from '../../bridge/arm-driver.cases.ts';
import { type Setpoint, TICK_S } from '../../bridge/arm-driver.ts';
import { type ArmFixture, type FAMILIES, passTick } from '../../bridge/servo/servo-arm.cases.ts';
import { planGoTo } from '../../physics/toolpath/go-to.ts';
import type { Command } from './commands.ts';
import type { LoopEvent } from './loop-event.ts';
import { Robot } from './robot.ts';
import { ADA } from './robot-harness.cases.ts';

export const SERVO_START = [0, 0.4, -1.4, 0, -1, 0];
const AWAY = [0.8, 0.4, -1.4, 0, -1, 0];
const SPEED_M_S = 0.5;
/** The joint that meets the obstacle. */
const JOINT = 0;

/** A robot that drives emulated servos, ticked by the test. */
export class ServoRobot {
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

  get state() {
    return this.robot.memory.state;
  }

  apply(command: Command): unknown {
    const refusal = this.robot.apply(command, this.tick);
    this.note();
    return refusal;
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
