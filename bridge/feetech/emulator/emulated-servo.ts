/**
 * One emulated servo of Feetech's STS series (STS3215): its control loop, angle limits and the
 * protections that unload it, written independently of the driver's registers. Positions in steps,
 * times in milliseconds; loads are tenths of a percent of the supply voltage.
 */
import type { EmulatedDevice } from '../../servo/emulator/emulated-device.ts';
import { GearGap } from '../../servo/emulator/gear-gap.ts';
import { MotionProfile } from '../../servo/emulator/motion-profile.ts';
import { type JointSensors, ServoShaft, TICKS_PER_RAD } from '../../servo/emulator/servo-shaft.ts';
import type { JointDrive } from '../../servo/servo-plant.ts';
import type { StsSetup } from './servo-setup.ts';
import { covers, StsMemory, type StsTableRegister } from './table-memory.ts';

/** Value of the torque register that makes the present position read the middle of the turn. */
const CALIBRATE = 128;
const TURN = 4096;
const MIDDLE = 2048;
const FULL_LOAD = 1000;

/** Bits of the status register, which each reply carries as its error. */
const STATUS = { voltage: 0x01, temperature: 0x04, current: 0x08, overload: 0x20 } as const;
const REVERSED_FEEDBACK = 0x80;

/** Nominal supply (0.1 V), speed without load (rad/s) and stall current (A) of the 12 V version. */
const SUPPLY = 120;
const NO_LOAD_RAD_S = 4.71;
const STALL_A = 2.7;
const CURRENT_STEP_A = 0.0065;
/** Gap of the gears (rad): half a degree, the vendor's figure. */
const GAP_RAD = (0.5 * Math.PI) / 180;
/**
 * Load for each step of lag, over the P gain: at 32, full load at 62 steps. An estimate from
 * published measurements of 20 to 30 steps at a third to a half of the stall torque.
 */
const LOAD_PER_P = 0.5;
/** Load for each step a millisecond, over the D gain; an estimate. */
const LOAD_PER_D = 0.5;
const TOP_SPEED = 3400;
const BOOT_MS = 300;
const FAILED_HOT_MS = 500;

function folded(ticks: number): number {
  return ((ticks % TURN) + TURN) % TURN;
}

export class StsServo implements EmulatedDevice {
  readonly setup: StsSetup;
  readonly shaft: ServoShaft;
  readonly memory: StsMemory;
  dead = false;
  private readonly profile = new MotionProfile();
  private readonly gears = new GearGap(GAP_RAD, NO_LOAD_RAD_S);
  private registered: { address: number; data: readonly number[] } | null = null;
  private supply = SUPPLY;
  private booting_ms = 0;
  private strained_ms = 0;
  private overcurrent_ms = 0;
  private integral = 0;
  /** Load at the motor, and share of the stall torque at the output. */
  private load = 0;
  private torque_share = 0;
  /** The overload protection, which stays until torque is switched on again. */
  private overloaded = false;
  /** Time in which it still reports heat after it was made to fail (ms). */
  private hot_ms = 0;

  constructor(setup: StsSetup, sensors: JointSensors) {
    this.setup = setup;
    this.shaft = new ServoShaft(setup, sensors);
    this.memory = new StsMemory({ id: setup.id, ...setup.registers });
    this.applyMounting();
  }

  private get(name: StsTableRegister): number {
    return this.memory.get(name);
  }

  private set(name: StsTableRegister, value: number): void {
    this.memory.set(name, value);
  }

  get id(): number {
    return this.get('id');
  }

  get present(): boolean {
    return !this.dead && this.booting_ms <= 0;
  }

  get goal_ticks(): number {
    return this.memory.get('goal');
  }

  get torqueOn(): boolean {
    return this.present && this.get('torque') === 1;
  }

  /** Present position (steps): one turn, with the position correction. */
  private get position(): number {
    return folded(this.shaft.ticks);
  }

  private applyMounting(): void {
    this.shaft.homing = -this.get('offset');
    this.shaft.reverse = (this.get('phase') & REVERSED_FEEDBACK) !== 0;
  }

  updateSensors(sensors: JointSensors): void {
    this.shaft.sensors = sensors;
  }

  packetReceived(): void {}

  skip(): void {}

  step(): void {
    if (this.booting_ms > 0) this.booting_ms -= 1;
    if (this.hot_ms > 0) this.hot_ms -= 1;
    if (!this.torqueOn) {
      this.load = 0;
      this.torque_share = 0;
      return;
    }
    const speed = this.get('goal_speed') / 1000;
    const acceleration = (100 * this.get('acceleration')) / 1e6;
    const top = speed === 0 && acceleration > 0 ? TOP_SPEED / 1000 : Math.abs(speed);
    this.profile.step(this.allowedGoal, { velocity: top, acceleration });
    this.load = this.limited(this.controlLoop());
    const back_emf = this.shaft.rate_rad_s / NO_LOAD_RAD_S;
    const share = (this.load / FULL_LOAD) * (this.supply / SUPPLY) - back_emf;
    this.torque_share = this.gears.passed(share);
    this.protect(share);
  }

  private get allowedGoal(): number {
    const [low, high, goal] = [this.get('angle_min'), this.get('angle_max'), this.get('goal')];
    return low === 0 && high === 0 ? goal : Math.min(high, Math.max(low, goal));
  }

  private controlLoop(): number {
    const error = this.profile.position - this.position;
    const dead = error > 0 ? this.get('dead_cw') : this.get('dead_ccw');
    if (Math.abs(error) <= dead) return 0;
    const gain = this.get('i') / 1000;
    const most = gain > 0 ? FULL_LOAD / gain : 0;
    this.integral = Math.min(most, Math.max(-most, this.integral + error));
    const steps_a_ms = (this.shaft.rate_rad_s * TICKS_PER_RAD) / 1000;
    const damping = LOAD_PER_D * this.get('d') * steps_a_ms;
    const wanted = LOAD_PER_P * this.get('p') * error + gain * this.integral - damping;
    const least = this.get('startup_force');
    return Math.abs(wanted) < least ? Math.sign(error) * least : wanted;
  }

  private limited(load: number): number {
    const weak = this.overloaded ? 10 * this.get('protective_torque') : 1000;
    const most = Math.min(this.get('torque_limit'), this.get('torque_max'), weak);
    return Math.min(most, Math.max(-most, load));
  }

  /** Overload, current and heat unload the servo where its unloading condition says so. */
  private protect(share: number): void {
    const strained = Math.abs(share) > this.get('overload_torque') / 100;
    this.strained_ms = strained ? this.strained_ms + 1 : 0;
    if (this.strained_ms > 10 * this.get('protection_time')) this.overloaded = true;
    const current = (Math.abs(share) * STALL_A) / CURRENT_STEP_A;
    this.overcurrent_ms = current > this.get('current_max') ? this.overcurrent_ms + 1 : 0;
    if (this.overcurrent_ms > 10 * this.get('current_time')) this.unload(STATUS.current);
    const hot = this.shaft.sensors.temperature_c > this.get('temperature_max');
    if (hot) this.unload(STATUS.temperature);
  }

  /** Switches the torque off where the unloading condition says so. */
  private unload(bit: number): void {
    if ((this.get('unloading') & bit) !== 0) this.set('torque', 0);
  }

  get drive(): JointDrive {
    if (!this.torqueOn) return { kind: 'off' };
    const share = this.shaft.direction * this.torque_share * (this.setup.strength ?? 1);
    return { kind: 'torque', share };
  }

  /** The error of its replies: the status register. */
  get status(): number {
    const { supply } = this;
    const off = supply < this.get('voltage_min') || supply > this.get('voltage_max');
    const hot = this.hot_ms > 0 || this.shaft.sensors.temperature_c > this.get('temperature_max');
    return (
      (off ? STATUS.voltage : 0) |
      (hot ? STATUS.temperature : 0) |
      (this.overloaded ? STATUS.overload : 0)
    );
  }

  read(address: number, length: number): readonly number[] {
    const speed = Math.round(this.shaft.rate_rad_s * TICKS_PER_RAD);
    this.set('position', this.position);
    this.set('speed', speed);
    this.set('load', Math.round(this.load));
    this.set('voltage', this.supply);
    this.set('temperature', Math.round(this.shaft.sensors.temperature_c));
    this.set('status', this.status);
    this.set('moving', Math.abs(speed) > 5 ? 1 : 0);
    this.set('current', Math.round((this.torque_share * STALL_A) / CURRENT_STEP_A));
    return this.memory.read(address, length);
  }

  /** Writes bytes; replies carry no error of a write. */
  write(address: number, data: readonly number[]): void {
    const was_on = this.get('torque') === 1;
    this.memory.write(address, data);
    const wrote = (name: StsTableRegister) => covers(name, address, data.length);
    if (wrote('goal') && this.setup.torque_by_goal) this.set('torque', 1);
    if (this.get('torque') === CALIBRATE) this.calibrate(was_on);
    else if (wrote('torque') && this.get('torque') === 1) this.overloaded = false;
    if (!was_on && this.get('torque') === 1) this.enable();
    this.applyMounting();
  }

  private enable(): void {
    this.overloaded = false;
    this.strained_ms = 0;
    this.integral = 0;
    this.gears.reset();
    this.profile.resetTo(this.position);
  }

  /** Makes the present position read the middle of the turn. */
  calibrate(was_on = this.get('torque') === 1): void {
    const wanted = this.get('offset') + this.position - MIDDLE;
    this.memory.keep('offset', folded(wanted + MIDDLE) - MIDDLE);
    this.set('torque', was_on ? 1 : 0);
    this.applyMounting();
  }

  registerWrite(address: number, data: readonly number[]): void {
    this.registered = { address, data };
  }

  executeRegisteredWrite(): void {
    if (this.registered) this.write(this.registered.address, this.registered.data);
    this.registered = null;
  }

  reboot(): void {
    this.memory.restart();
    this.overloaded = false;
    this.booting_ms = BOOT_MS;
    this.applyMounting();
  }

  loseTorque(): void {
    this.set('torque', 0);
  }

  fail(kind: 'overheated' | 'overload'): void {
    if (kind === 'overload') this.overloaded = true;
    else {
      this.hot_ms = FAILED_HOT_MS;
      this.unload(STATUS.temperature);
    }
  }

  setSupply(voltage: number): void {
    this.supply = voltage;
    if (voltage < this.get('voltage_min') / 2) this.reboot();
  }
}
