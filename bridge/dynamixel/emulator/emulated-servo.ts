/**
 * One emulated servo: its control table, with EEPROM lock, limits, modes, watchdog, shutdown and
 * reboot, and the command to its joint by one of two drives: the control loops of a real servo, or
 * an ideal one. ServoEmulator connects it to the plant and the bus.
 */
import type { EmulatedDevice } from '../../servo/emulator/emulated-device.ts';
import { MotionProfile, type ProfileLimits } from '../../servo/emulator/motion-profile.ts';
import { type JointSensors, ServoShaft } from '../../servo/emulator/servo-shaft.ts';
import type { JointDrive } from '../../servo/servo-plant.ts';
import {
  controlTable,
  EEPROM_END,
  MODE_DEFAULTS,
  type TableRegister,
  tableEnd,
} from './control-table.ts';
import { MODELS } from './emulated-models.ts';
import { ExternalPort } from './external-port.ts';
import { type DriveProfile, driveOf } from './ideal-drive.ts';
import { AT_REST, writeMeasurements } from './measurements.ts';
import { profileLimits } from './profile-limits.ts';
import { PWM_FULL } from './register-units.ts';
import { ServoMotor } from './servo-motor.ts';
import type { ServoSetup } from './servo-setup.ts';
import { TableMemory } from './table-memory.ts';
import { isShutDown, STATUS_ERROR, TRIPPED, writeError } from './write-rules.ts';

const REBOOT_MS = 300;
const WATCHDOG_UNIT_MS = 20;
const TICK_WRAP = 32768;
const DEFAULT_FIRMWARE = 47;

export class EmulatedServo implements EmulatedDevice {
  readonly setup: ServoSetup;
  readonly memory: TableMemory;
  /** Without power, or disconnected from the bus. */
  dead = false;
  readonly port = new ExternalPort();
  readonly shaft: ServoShaft;
  private readonly motor: ServoMotor;
  private readonly ideal: boolean;
  private readonly profile = new MotionProfile();
  private limits: ProfileLimits = { velocity: 0, acceleration: 0 };
  private booting_ms = 0;
  private uptime_ms = 0;
  private since_packet_ms = 0;
  private registered: { address: number; data: readonly number[] } | null = null;
  private stored: Uint8Array | null = null;
  private supply: number;

  constructor(setup: ServoSetup, sensors: JointSensors, drive: DriveProfile) {
    this.setup = setup;
    this.ideal = drive === 'ideal';
    this.motor = new ServoMotor(MODELS[setup.model]);
    this.shaft = new ServoShaft(setup, sensors);
    this.supply = MODELS[setup.model].supply;
    const { indirect } = MODELS[setup.model];
    this.memory = new TableMemory(controlTable(setup.model), tableEnd(setup.model), indirect);
    this.memory.resetWhere(() => true);
    this.memory.set('id', setup.id);
    this.memory.set('firmware', setup.firmware ?? DEFAULT_FIRMWARE);
    for (const [name, value] of Object.entries(setup.registers ?? {})) {
      this.memory.set(name as TableRegister, value);
    }
    this.finishBoot();
  }

  get id(): number {
    return this.memory.get('id');
  }

  get goal_ticks(): number {
    return this.memory.get('goal_position');
  }

  get torqueOn(): boolean {
    return this.memory.get('torque') === 1 && this.present;
  }

  /** Powered and booted. */
  get present(): boolean {
    return !this.dead && this.booting_ms <= 0;
  }

  /** Whether it executes packets to `id`. */
  isAddressedBy(id: number): boolean {
    return this.id === id || (this.memory.get('secondary_id') === id && id <= 252);
  }

  get canReadFast(): boolean {
    return this.memory.get('firmware') > MODELS[this.setup.model].firmware_without_fast;
  }

  /** The alert bit of its statuses. */
  get alert(): number {
    return this.memory.get('hardware_error') === 0 ? 0 : 0x80;
  }

  private finishBoot(): void {
    this.uptime_ms = 0;
    this.shaft.reverse = (this.memory.get('drive_mode') & 1) !== 0;
    this.shaft.homing = this.memory.get('homing_offset');
    this.memory.set('goal_position', this.shaft.ticks);
    this.profile.resetTo(this.shaft.ticks);
  }

  /** Takes the state of the joint at the end of a millisecond. */
  updateSensors(sensors: JointSensors): void {
    this.shaft.sensors = sensors;
    const hot = sensors.temperature_c > this.memory.get('temperature_limit');
    if (hot && this.present) this.raiseHardwareError(0x04);
  }

  /** Advances timers and profile by one millisecond. */
  step(): void {
    if (this.booting_ms > 0) {
      this.booting_ms -= 1;
      if (this.booting_ms <= 0) this.finishBoot();
    }
    if (!this.present) return;
    this.uptime_ms += 1;
    this.since_packet_ms += 1;
    if (!this.torqueOn) return;
    this.checkWatchdog();
    this.profile.step(this.memory.get('goal_position'), this.limits);
    if (this.ideal) return;
    const { memory, shaft, profile, motor } = this;
    const supply_share = this.supply / MODELS[this.setup.model].supply;
    motor.step({ memory, shaft, profile, supply_share });
    if (motor.overloaded) this.raiseHardwareError(0x20);
  }

  /** Skips time in which nothing moves (ms). */
  skip(duration_ms: number): void {
    if (this.present) this.uptime_ms += duration_ms;
  }

  private checkWatchdog(): void {
    const watchdog = this.memory.get('watchdog');
    if (watchdog === 0 || watchdog === TRIPPED) return;
    if (this.since_packet_ms <= watchdog * WATCHDOG_UNIT_MS) return;
    this.memory.set('watchdog', TRIPPED);
    this.memory.set('goal_position', this.shaft.ticks);
    this.profile.resetTo(this.shaft.ticks);
  }

  packetReceived(): void {
    this.since_packet_ms = 0;
  }

  /** The command to its joint; a slave takes its PWM from a sync cable, which is not connected. */
  get drive(): JointDrive {
    const isSlave = (this.memory.get('drive_mode') & 2) !== 0;
    if (!this.torqueOn || isSlave) return { kind: 'off' };
    const { memory, shaft, profile, setup } = this;
    if (this.ideal) return driveOf({ memory, shaft, profile }, MODELS[setup.model]);
    const share = shaft.direction * this.motor.torque_share * (setup.strength ?? 1);
    return { kind: 'torque', share };
  }

  /** Present bytes of the table; null for a span outside of it. */
  read(address: number, length: number): readonly number[] | null {
    if (length === 0) return null;
    this.refreshTable();
    return this.memory.read(address, length);
  }

  private refreshTable(): void {
    const { memory, shaft, motor, profile, setup } = this;
    const traits = MODELS[setup.model];
    const ideal_share = shaft.direction * shaft.sensors.torque_share;
    const share = this.ideal ? ideal_share : motor.torque_share;
    const pwm = this.ideal ? share * PWM_FULL : motor.pwm;
    const output = { current: share * traits.stall_current, pwm };
    writeMeasurements({ memory, shaft, profile }, this.ideal || this.torqueOn ? output : AT_REST);
    memory.set('tick', Math.floor(this.uptime_ms) % TICK_WRAP);
    memory.set('voltage', this.supply);
    memory.set('registered', this.registered ? 1 : 0);
    memory.set('backup_ready', this.stored ? 1 : 0);
    this.port.writeTo(memory);
  }

  /** Writes data by the rules of the servo; returns its error. */
  write(address: number, data: readonly number[]): number {
    const runs = this.memory.indirectRuns(address, data);
    if (runs) {
      const errors = runs.map((run) => this.write(run.address, run.data));
      return errors.find((error) => error !== STATUS_ERROR.none) ?? STATUS_ERROR.none;
    }
    if (this.memory.writePointers(address, data)) return STATUS_ERROR.none;
    const { names, cut } = this.memory.within(address, data.length);
    if (names.length === 0) return cut ? STATUS_ERROR.short : STATUS_ERROR.access;
    if (cut) return STATUS_ERROR.short;
    const values = names.map((name) => [name, this.memory.valueIn(name, address, data)] as const);
    for (const [name, value] of values) {
      const error = writeError(this.memory, name, value);
      if (error !== STATUS_ERROR.none) return error;
    }
    for (const [name, value] of values) this.applyValue(name, value);
    return STATUS_ERROR.none;
  }

  private applyValue(name: TableRegister, value: number): void {
    const { memory } = this;
    const before = memory.get(name);
    memory.set(name, value);
    if (name === 'homing_offset') this.shaft.homing = value;
    if (name === 'drive_mode') this.shaft.reverse = (value & 1) !== 0;
    if (name === 'torque' && value === 1 && before === 0) this.enable();
    if (name === 'operating_mode' && value !== before) {
      for (const one of MODE_DEFAULTS) memory.set(one, memory.table[one].factory);
      if (value === 3) this.shaft.intoOneTurn();
    }
    if (name === 'goal_position')
      this.limits = profileLimits(memory, value - this.profile.position);
  }

  private enable(): void {
    const goal = this.memory.get('goal_position');
    const stale = goal - this.shaft.ticks;
    if (this.memory.get('operating_mode') === 3) this.shaft.intoOneTurn();
    this.since_packet_ms = 0;
    this.motor.reset();
    this.profile.resetTo(this.shaft.ticks);
    if (stale !== 0) this.limits = profileLimits(this.memory, goal - this.profile.position);
  }

  /** Registers a write for `executeRegisteredWrite`. */
  registerWrite(address: number, data: readonly number[]): number {
    this.registered = { address, data };
    return STATUS_ERROR.none;
  }

  executeRegisteredWrite(): number {
    const write = this.registered;
    this.registered = null;
    return write ? this.write(write.address, write.data) : STATUS_ERROR.instruction;
  }

  /** Reboots: RAM registers get factory values, torque is off. */
  reboot(): void {
    this.memory.resetWhere((name) => this.memory.table[name].address >= EEPROM_END);
    this.registered = null;
    this.booting_ms = REBOOT_MS;
    this.shaft.intoOneTurn();
  }

  /** Resets all registers but those named to factory values and reboots. */
  factoryReset(kept: readonly TableRegister[]): void {
    const fixed: readonly TableRegister[] = ['model', 'firmware', ...kept];
    this.memory.resetWhere((name) => !fixed.includes(name));
    this.reboot();
  }

  clearTurns(): number {
    const moving = Math.abs(this.shaft.rate_rad_s) > 0.01;
    if (!moving) this.shaft.intoOneTurn();
    return moving ? STATUS_ERROR.result : STATUS_ERROR.none;
  }

  /** Stores the table, or restores the stored one. */
  backup(store: boolean): number {
    if (this.memory.get('torque') === 1) return STATUS_ERROR.result;
    if (store) this.stored = this.memory.bytes.slice();
    else if (!this.stored) return STATUS_ERROR.result;
    else {
      this.memory.bytes.set(this.stored.subarray(0, EEPROM_END));
      this.reboot();
    }
    return STATUS_ERROR.none;
  }

  loseTorque(): void {
    this.memory.set('torque', 0);
  }

  fail(kind: 'overheated' | 'overload'): void {
    this.raiseHardwareError(kind === 'overheated' ? 0x04 : 0x20);
  }

  /** Raises bits of the hardware error register. */
  raiseHardwareError(bits: number): void {
    this.memory.set('hardware_error', this.memory.get('hardware_error') | bits);
    if (isShutDown(this.memory)) this.memory.set('torque', 0);
  }

  /** Sets the supply (0.1 V): far too low reboots the servo, out of range raises an alert. */
  setSupply(voltage: number): void {
    this.supply = voltage;
    const low = this.memory.get('voltage_min');
    if (voltage < low / 2) this.reboot();
    else if (voltage < low || voltage > this.memory.get('voltage_max'))
      this.raiseHardwareError(0x01);
  }
}
