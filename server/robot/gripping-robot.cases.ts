/** A robot and its loop on emulated servos with a gripper, as a started program has them. */
import { expect } from 'vitest';
import { stationarySetpoint } from '../../bridge/arm-driver.cases.ts';
import { TICK_S } from '../../bridge/arm-driver.ts';
import type { ServoEmulator } from '../../bridge/dynamixel/emulator/servo-emulator.ts';
import type { ServoSetup } from '../../bridge/dynamixel/emulator/servo-setup.ts';
import { DYNAMIXEL } from '../../bridge/dynamixel/family.ts';
import { Bus } from '../../bridge/servo/bus/bus.ts';
import type { Calibration } from '../../bridge/servo/calibration/calibration.ts';
import { armOn, createServoFixture, passTick } from '../../bridge/servo/servo-arm.cases.ts';
import { createMemoryTransport } from '../../bridge/transport/memory-transport.ts';
import { planGoTo } from '../../physics/toolpath/go-to.ts';
import { Timers } from '../clock/timers.ts';
import { ControlLoop } from './loop.ts';
import { Robot } from './robot.ts';
import { ADA } from './robot-harness.cases.ts';
import { SERVO_START } from './servo-robot.cases.ts';

export interface GrippingStart {
  /** A calibration with a gripper, and the servos that it is of. */
  readonly calibration: Calibration;
  readonly servos: readonly ServoSetup[];
  readonly start?: ArrayLike<number>;
  readonly prepare?: (emulator: ServoEmulator) => void;
}

export class GrippingRobot {
  readonly fixture: Awaited<ReturnType<typeof createServoFixture>>;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  private readonly calibration: Calibration;

  private constructor(fixture: GrippingRobot['fixture'], calibration: Calibration) {
    const { arm } = fixture;
    this.fixture = fixture;
    this.calibration = calibration;
    const feedback = arm.exchange(stationarySetpoint('hold'), TICK_S);
    const recover = () => arm.recover();
    const options = { epoch_ms: 0, timezone: 'UTC', seed: 1, recover };
    this.robot = new Robot({ feedback, ...options });
    const parts = { robot: this.robot, driver: arm, timers: new Timers(), feedback, epoch_ms: 0 };
    const worldPorts = { world: null, driverFaults: null };
    this.loop = new ControlLoop({ ...parts, worldPorts, listeners: [] });
  }

  static async started(options: GrippingStart): Promise<GrippingRobot> {
    const { calibration, servos, start = SERVO_START, prepare } = options;
    const fixture = await createServoFixture({ servos, calibration, start, supported: true });
    prepare?.(fixture.emulator);
    await fixture.clock.until(fixture.arm.start());
    return GrippingRobot.ready(fixture, calibration);
  }

  private static async ready(fixture: GrippingRobot['fixture'], calibration: Calibration) {
    const one = new GrippingRobot(fixture, calibration);
    await one.advance(1);
    one.loop.apply({ kind: 'lock', caller: ADA });
    return one;
  }

  /** The same arm with a program that has just started; the one before died. */
  async restarted(): Promise<GrippingRobot> {
    const { fixture, calibration } = this;
    const bus = new Bus(createMemoryTransport(fixture.emulator), fixture.clock, DYNAMIXEL);
    const arm = armOn(bus, fixture.clock, calibration);
    await fixture.clock.until(arm.start());
    return GrippingRobot.ready({ ...fixture, bus, arm }, calibration);
  }

  get jaws() {
    return this.fixture.emulator.jaws;
  }

  /** The servo of the gripper. */
  get servo() {
    return this.fixture.emulator.servo(this.calibration.gripper!.id);
  }

  get state() {
    const { state, error } = this.robot.memory;
    return error === null ? state : `${state}: ${error}`;
  }

  /** Whether the input of the arm says that the gripper has something. */
  get hasPart() {
    return this.robot.memory.io.inputs[this.calibration.gripper!.part_present_input];
  }

  get output() {
    return this.robot.memory.io.outputs[this.calibration.gripper!.output];
  }

  /** Closes or opens the gripper by its output. */
  set(isOn: boolean): void {
    const key = `outputs.${this.calibration.gripper!.output}`;
    const changes = [{ key, value: isOn }];
    expect(this.loop.apply({ kind: 'globals', caller: ADA, changes })).toBeNull();
  }

  /** Sends the arm to a pose (rad), and waits until it has ended. */
  async goTo(joints: ArrayLike<number>, speed_m_s: number): Promise<void> {
    const start = Float64Array.from(this.robot.restPose);
    const plan = planGoTo({
      start,
      joints: Array.from(joints),
      mode: 'automatic',
      max_speed: speed_m_s,
    });
    if (!plan.ok) throw new Error(plan.message);
    const { path, profile } = plan.segment;
    const caps = { tool_speed_m_s: speed_m_s, tool_offset_m: [0, 0, 0] as const };
    const motion = { path, profile, caps, start };
    expect(this.loop.apply({ kind: 'go_to', caller: ADA, mode: 'automatic', motion })).toBeNull();
    await this.advance(30, () => this.robot.memory.state !== 'running');
  }

  async advance(duration_s: number, done: () => boolean = () => false): Promise<void> {
    for (let t_s = 0; t_s < duration_s && !done(); t_s += TICK_S) {
      this.loop.runTo(this.loop.tick + 1, { jump: false, stop: () => false });
      await passTick(this.fixture);
    }
    this.fixture.emulator.catchUp();
  }

  /** Resets errors until the robot is ready, as the sentences of the states say. */
  async recover(): Promise<void> {
    for (let tries = 0; tries < 4 && this.robot.memory.state === 'error'; tries++) {
      this.loop.apply({ kind: 'reset_errors', caller: ADA });
      await this.advance(2);
    }
  }

  close(): Promise<void> {
    return this.fixture.close();
  }
}
