/**
 * One servo: its control table with the rules that bite (locked EEPROM, limits, modes, watchdog,
 * shutdown, reboot), and what it makes its joint do. The plant and the line are others' business.
 */
import { STEP_S } from '../../physics/dynamics/servo.ts';
import type { Drive } from '../servo-plant.ts';
import {
  controlTable,
  EEPROM_END,
  MODE_DEFAULTS,
  MODELS,
  type ModelName,
  type RegisterName,
  tableEnd,
} from './control-table.ts';
import { ExternalPort } from './external-port.ts';
import { limitsOf, MotionProfile, type ProfileLimits } from './motion-profile.ts';
import {
  type JointSensors,
  ServoShaft,
  type ShaftSetup,
  TICKS_PER_RAD,
  VELOCITY_UNIT,
} from './servo-shaft.ts';
import { TableMemory } from './table-memory.ts';
import { ERROR, isShutDown, refusal, TRIPPED } from './write-rules.ts';

export interface ServoSetup extends ShaftSetup {
  readonly id: number;
  readonly model: ModelName;
  /** Joint (0..5) that it turns; a joint may have several servos. */
  readonly joint: number;
  readonly firmware?: number;
  /** Registers that differ from the factory's. */
  readonly registers?: Partial<Record<RegisterName, number>>;
}

const REBOOT_MS = 300;
const WATCHDOG_UNIT_MS = 20;
const TICK_WRAP = 32768;
const PWM_FULL = 885;
const DEFAULT_FIRMWARE = 47;

export class EmulatedServo {
  readonly setup: ServoSetup;
  readonly memory: TableMemory;
  /** Without power, or broken off the bus. */
  dead = false;
  readonly port = new ExternalPort();
  private readonly shaft: ServoShaft;
  private readonly profile = new MotionProfile();
  private limits: ProfileLimits = { velocity: 0, acceleration: 0 };
  private booting_ms = 0;
  private uptime_ms = 0;
  private since_packet_ms = 0;
  private registered: { address: number; data: readonly number[] } | null = null;
  private stored: Uint8Array | null = null;
  private supply: number;

  constructor(setup: ServoSetup, sensors: JointSensors) {
    this.setup = setup;
    this.shaft = new ServoShaft(setup, sensors);
    this.supply = MODELS[setup.model].supply;
    this.memory = new TableMemory(controlTable(setup.model), tableEnd(setup.model));
    this.toFactory(() => true);
    this.memory.set('id', setup.id);
    this.memory.set('firmware', setup.firmware ?? DEFAULT_FIRMWARE);
    for (const [name, value] of Object.entries(setup.registers ?? {})) {
      this.memory.set(name as RegisterName, value);
    }
    this.wake();
  }

  get id(): number {
    return this.memory.get('id');
  }

  get torqueOn(): boolean {
    return this.memory.get('torque') === 1 && this.present;
  }

  /** Powered and done with its start. */
  get present(): boolean {
    return !this.dead && this.booting_ms <= 0;
  }

  /** Whether it obeys packets to `id`. */
  obeys(id: number): boolean {
    return this.id === id || (this.memory.get('secondary_id') === id && id <= 252);
  }

  get canReadFast(): boolean {
    return this.memory.get('firmware') > MODELS[this.setup.model].firmware_without_fast;
  }

  /** The alert bit of each status. */
  get alert(): number {
    return this.memory.get('hardware_error') === 0 ? 0 : 0x80;
  }

  private toFactory(which: (name: RegisterName) => boolean): void {
    for (const name of Object.keys(this.memory.table) as RegisterName[]) {
      if (which(name)) this.memory.set(name, this.memory.table[name].factory);
    }
  }

  private wake(): void {
    this.uptime_ms = 0;
    this.memory.set('goal_position', this.shaft.ticks);
    this.profile.rest(this.shaft.ticks);
  }

  /** Takes what the joint does at the end of a millisecond. */
  sense(sensors: JointSensors): void {
    this.shaft.sensors = sensors;
    const hot = sensors.temperature_c > this.memory.get('temperature_limit');
    if (hot && this.present) this.raise(0x04);
  }

  /** One millisecond: time-outs and profile. */
  step(): void {
    if (this.booting_ms > 0) {
      this.booting_ms -= 1;
      if (this.booting_ms <= 0) this.wake();
    }
    if (!this.present) return;
    this.uptime_ms += 1;
    this.since_packet_ms += 1;
    if (!this.torqueOn) return;
    this.watch();
    this.profile.step(this.memory.get('goal_position'), this.limits);
  }

  /** Time passes in which nothing happens (ms). */
  skip(duration_ms: number): void {
    if (this.present) this.uptime_ms += duration_ms;
  }

  private watch(): void {
    const watchdog = this.memory.get('watchdog');
    if (watchdog === 0 || watchdog === TRIPPED) return;
    if (this.since_packet_ms <= watchdog * WATCHDOG_UNIT_MS) return;
    this.memory.set('watchdog', TRIPPED);
    this.memory.set('goal_position', this.shaft.ticks);
    this.profile.rest(this.shaft.ticks);
  }

  hear(): void {
    this.since_packet_ms = 0;
  }

  get drive(): Drive {
    if (!this.torqueOn) return { kind: 'off' };
    const mode = this.memory.get('operating_mode');
    const { direction } = this.shaft;
    const most = MODELS[this.setup.model].current;
    const share = (name: RegisterName, full: number) => this.memory.get(name) / full;
    const tripped = this.memory.get('watchdog') === TRIPPED;
    const share_max = share('current_limit', most) * share('pwm_limit', PWM_FULL);
    if (mode === 0 && !tripped) {
      return { kind: 'torque', share: direction * share('goal_current', most) };
    }
    if (mode === 16 && !tripped) {
      return { kind: 'torque', share: direction * share('goal_pwm', PWM_FULL) };
    }
    if (mode === 1) {
      const rate = tripped ? 0 : this.memory.get('goal_velocity') * VELOCITY_UNIT * direction;
      return { kind: 'velocity', rate_rad_s: rate / this.shaft.gear, share_max };
    }
    const angle_rad = this.shaft.angleOf(this.profile.position);
    const held = mode === 5 ? Math.abs(share('goal_current', most)) : share_max;
    return { kind: 'position', angle_rad, share_max: Math.min(held, share_max) };
  }

  /** Bytes of the table as they are now, or the error of a stretch outside of it. */
  read(address: number, length: number): readonly number[] | null {
    if (address + length > this.memory.bytes.length || length === 0) return null;
    this.refresh();
    return Array.from(this.memory.bytes.subarray(address, address + length));
  }

  private refresh(): void {
    const { memory, shaft } = this;
    const share = shaft.direction * shaft.sensors.torque_share;
    const velocity = Math.round(shaft.rate_rad_s / VELOCITY_UNIT);
    memory.set('tick', Math.floor(this.uptime_ms) % TICK_WRAP);
    memory.set('present_position', this.shaft.ticks);
    memory.set('present_velocity', velocity);
    memory.set('present_current', Math.round(share * MODELS[this.setup.model].current));
    memory.set('present_pwm', Math.round(share * PWM_FULL));
    memory.set('moving', Math.abs(velocity) > memory.get('moving_threshold') ? 1 : 0);
    memory.set('position_trajectory', Math.round(this.profile.position));
    const planned_rad_s = this.profile.velocity / STEP_S / TICKS_PER_RAD;
    memory.set('velocity_trajectory', Math.round(planned_rad_s / VELOCITY_UNIT));
    memory.set('voltage', this.supply);
    memory.set('temperature', Math.round(shaft.sensors.temperature_c));
    memory.set('registered', this.registered ? 1 : 0);
    memory.set('backup_ready', this.stored ? 1 : 0);
    this.port.show(memory);
  }

  /** Writes data as the servo would and answers its error. */
  write(address: number, data: readonly number[]): number {
    const { names, cut } = this.memory.within(address, data.length);
    if (names.length === 0) return cut ? ERROR.short : ERROR.access;
    if (cut) return ERROR.short;
    const values = names.map((name) => [name, this.memory.told(name, address, data)] as const);
    for (const [name, value] of values) {
      const error = refusal(this.memory, name, value);
      if (error !== ERROR.none) return error;
    }
    for (const [name, value] of values) this.put(name, value);
    return ERROR.none;
  }

  private put(name: RegisterName, value: number): void {
    const { memory } = this;
    const before = memory.get(name);
    memory.set(name, value);
    if (name === 'homing_offset') this.shaft.homing = value;
    if (name === 'torque' && value === 1 && before === 0) this.enable();
    if (name === 'operating_mode' && value !== before) {
      for (const one of MODE_DEFAULTS) memory.set(one, memory.table[one].factory);
      if (value === 3) this.shaft.intoOneTurn();
    }
    if (name === 'goal_position') this.limits = limitsOf(memory, value - this.profile.position);
  }

  private enable(): void {
    const goal = this.memory.get('goal_position');
    const stale = goal - this.shaft.ticks;
    if (this.memory.get('operating_mode') === 3) this.shaft.intoOneTurn();
    this.since_packet_ms = 0;
    this.profile.rest(this.shaft.ticks);
    if (stale !== 0) this.limits = limitsOf(this.memory, goal - this.profile.position);
  }

  /** Keeps a write for `act`. */
  register(address: number, data: readonly number[]): number {
    this.registered = { address, data };
    return ERROR.none;
  }

  act(): number {
    const write = this.registered;
    this.registered = null;
    return write ? this.write(write.address, write.data) : ERROR.instruction;
  }

  /** Starts anew: the table's upper part is forgotten, torque is off. */
  reboot(): void {
    this.toFactory((name) => this.memory.table[name].address >= EEPROM_END);
    this.registered = null;
    this.booting_ms = REBOOT_MS;
    this.shaft.intoOneTurn();
  }

  /** Puts registers back to the factory's, but those named, and starts anew. */
  factoryReset(kept: readonly RegisterName[]): void {
    const fixed: readonly RegisterName[] = ['model', 'firmware', ...kept];
    this.toFactory((name) => !fixed.includes(name));
    this.reboot();
  }

  clearTurns(): number {
    const moving = Math.abs(this.shaft.rate_rad_s) > 0.01;
    if (!moving) this.shaft.intoOneTurn();
    return moving ? ERROR.result : ERROR.none;
  }

  /** Stores the table, or takes the stored one back. */
  backup(store: boolean): number {
    if (this.memory.get('torque') === 1) return ERROR.result;
    if (store) this.stored = this.memory.bytes.slice();
    else if (!this.stored) return ERROR.result;
    else {
      this.memory.bytes.set(this.stored.subarray(0, EEPROM_END));
      this.reboot();
    }
    return ERROR.none;
  }

  /** Something is wrong inside: bits of the hardware error register. */
  raise(bits: number): void {
    this.memory.set('hardware_error', this.memory.get('hardware_error') | bits);
    if (isShutDown(this.memory)) this.memory.set('torque', 0);
  }

  /** Supply voltage (0.1 V) from now on; too little reboots it, a bad one is an alert. */
  supplyWith(voltage: number): void {
    this.supply = voltage;
    const low = this.memory.get('voltage_min');
    if (voltage < low / 2) this.reboot();
    else if (voltage < low || voltage > this.memory.get('voltage_max')) this.raise(0x01);
  }
}
