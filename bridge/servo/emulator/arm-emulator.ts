/**
 * Emulates an arm of servos of any family, as seen from the wire: bytes in, bytes out. It shares
 * no code with the driver, so that everything above the wire runs as with real servos. Its clock
 * gives the time; it catches up when it receives a packet or is inspected.
 */

import { DRIVE } from '../../../physics/arm/arm-model.ts';
import type { BusClock } from '../../transport/bus-clock.ts';
import type { ReceiveBytes, WirePeer } from '../../transport/transport.ts';
import { type JointDrive, ServoPlant } from '../servo-plant.ts';
import type { EmulatedDevice } from './emulated-device.ts';
import { EmulatedJaws, JAWS } from './emulated-jaws.ts';
import type { JointSensors } from './servo-shaft.ts';

/** The arm of an emulator, whose servos are of any family. */
export interface EmulatedArmOptions {
  readonly clock: BusClock;
  /** Joint angles at start (rad). */
  readonly start?: ArrayLike<number>;
  /** True: each joint is supported until one of its servos holds it for the first time. */
  readonly supported?: boolean;
  /**
   * Longest gap between calls (ms). A longer one means that this process was blocked, and does not
   * trip the watchdogs. Absent: every gap counts as silence.
   */
  readonly gap_limit_ms?: number;
}
/** Longest time that is simulated at once (ms); servo clocks count the rest. */
const CATCH_UP_MS = 3000;

/** Friction of the gears, which holds a joint at rest (N m): 3 % of the torque, an estimate. */
export const GEAR_FRICTION_N_M = DRIVE.torque_max_n_m.map((torque) => 0.03 * torque);

/** The command of all servos with torque on one joint: torques add up. */
function commonDrive(servos: readonly EmulatedDevice[]): JointDrive {
  const drives = servos.map((servo) => servo.drive);
  const share = drives.reduce((sum, one) => sum + (one.kind === 'torque' ? one.share : 0), 0);
  const [first] = drives;
  return first?.kind === 'torque' ? { kind: 'torque', share } : (first ?? { kind: 'off' });
}

/** An arm of emulated servos of one family, which its bytes drive. */
export abstract class ArmEmulator<Servo extends EmulatedDevice> implements WirePeer {
  readonly servos: readonly Servo[];
  readonly plant: ServoPlant;
  /** The jaws of its gripper, where one of its servos moves them. */
  readonly jaws = new EmulatedJaws();
  /** True: servos after a missing one do not reply to group reads. */
  chainBreaks = true;
  private readonly clock: BusClock;
  private readonly supported: Set<number>;
  private readonly gap_limit_ms: number;
  private time_ms: number;

  constructor(
    options: EmulatedArmOptions,
    createServos: (sensorsOf: (joint: number) => JointSensors) => readonly Servo[],
  ) {
    const { clock, start } = options;
    this.clock = clock;
    this.gap_limit_ms = options.gap_limit_ms ?? Number.POSITIVE_INFINITY;
    this.time_ms = Math.floor(clock.now_ms());
    this.plant = new ServoPlant(start ?? new Float64Array(6));
    this.supported = new Set(options.supported ? [0, 1, 2, 3, 4, 5] : []);
    for (const joint of this.supported) this.plant.blocked.add(joint);
    this.servos = createServos((joint) => this.sensorsOf(joint));
  }

  abstract attach(send: ReceiveBytes): ReceiveBytes;

  /** The servo with an id. */
  servo(id: number): Servo {
    const found = this.servos.find((servo) => servo.id === id);
    if (!found) throw new Error(`no emulated servo has id ${id}; check the servos option`);
    return found;
  }

  /** Simulates up to the time of bytes that were just received. */
  protected catchUpToBytes(): void {
    this.catchUp(this.clock.now_ms() - this.time_ms > this.gap_limit_ms);
  }

  /** Simulates up to the present time; `addressed` keeps the watchdogs from counting. */
  catchUp(addressed = false): void {
    const now_ms = Math.floor(this.clock.now_ms());
    const skipped_ms = Math.max(0, now_ms - CATCH_UP_MS - this.time_ms);
    if (skipped_ms > 0) for (const servo of this.servos) servo.skip(skipped_ms);
    this.time_ms += skipped_ms;
    for (; this.time_ms < now_ms; this.time_ms++) {
      if (addressed) for (const servo of this.servos) servo.packetReceived();
      this.step();
    }
  }

  private step(): void {
    for (const servo of this.servos) servo.step();
    for (let j = 0; j < 6; j++) {
      const driving = this.servos.filter((servo) => servo.setup.joint === j && servo.torqueOn);
      this.plant.drives[j] = commonDrive(driving);
      if (driving.length > 0 && this.supported.delete(j)) this.plant.blocked.delete(j);
    }
    const gripping = this.servos.filter((servo) => servo.setup.joint === JAWS && servo.torqueOn);
    this.jaws.step(commonDrive(gripping));
    this.plant.step();
    for (const servo of this.servos) servo.updateSensors(this.sensorsOf(servo.setup.joint));
  }

  private sensorsOf(joint: number): JointSensors {
    if (joint === JAWS) return this.jaws.sensors;
    return {
      angle_rad: this.plant.position_rad[joint]!,
      rate_rad_s: this.plant.velocity_rad_s[joint]!,
      torque_share: this.plant.torque_n_m[joint]! / DRIVE.torque_max_n_m[joint]!,
      temperature_c: this.plant.heat.temperature[joint]!,
    };
  }
}
