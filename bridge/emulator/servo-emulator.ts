/**
 * Emulates a bus of servos with an arm, as seen from the wire: bytes in, bytes out. It shares no
 * code with the driver, so that everything above the wire runs as with real servos. Its clock gives
 * the time; it catches up when it receives a packet or is inspected.
 */
import { DRIVE } from '../../physics/arm/arm-model.ts';
import { type JointDrive, ServoPlant } from '../servo-plant.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import type { ReceiveBytes, WirePeer } from '../transport/transport.ts';
import { EmulatedServo } from './emulated-servo.ts';
import { FrameCollector } from './framing.ts';
import { executeInstruction } from './instruction-set.ts';
import type { DriveProfile, EmulatedDevice, JointSensors, ServoSetup } from './servo-mechanics.ts';

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

export interface EmulatorOptions extends EmulatedArmOptions {
  readonly servos?: readonly ServoSetup[];
  /** How the servos drive their joints; default factory. */
  readonly drive?: DriveProfile;
  /** Baud code of the bus; servos set to another one receive nothing. */
  readonly line_baud?: number;
}

/** One million baud. */
const LINE_BAUD = 3;
/** Longest time that is simulated at once (ms); servo clocks count the rest. */
const CATCH_UP_MS = 3000;

/** Six servos with ids 1 to 6, as set up by an integrator. */
export const DEFAULT_SERVOS: readonly ServoSetup[] = Array.from({ length: 6 }, (_, joint) => ({
  id: joint + 1,
  joint,
  model: joint < 3 ? ('XM540-W270' as const) : ('XM430-W350' as const),
  registers: { baud: LINE_BAUD, return_delay: 0 },
}));

/** The same with two servos on shoulder and elbow: 12 and 13 are mounted in reverse. */
export const PAIRED_SERVOS: readonly ServoSetup[] = pairServos(DEFAULT_SERVOS, { drive_mode: 1 });

/**
 * Servos with a second one on shoulder and elbow, its id 10 higher; `reverse` makes it count back.
 */
export function pairServos<Setup extends PairedSetup>(
  servos: readonly Setup[],
  reverse: Setup['registers'],
): readonly Setup[] {
  const halves = servos.map((one) => (isPaired(one) ? { ...one, strength: 0.5 } : one));
  const seconds = halves.filter(isPaired).map((one) => ({
    ...one,
    id: one.id + 10,
    direction: -1 as const,
    registers: { ...one.registers, ...reverse },
  }));
  return [...halves, ...seconds];
}

interface PairedSetup {
  readonly id: number;
  readonly joint: number;
  readonly registers?: object;
}

function isPaired({ joint }: PairedSetup): boolean {
  return joint === 1 || joint === 2;
}

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
    this.plant.step();
    for (const servo of this.servos) servo.updateSensors(this.sensorsOf(servo.setup.joint));
  }

  private sensorsOf(joint: number): JointSensors {
    return {
      angle_rad: this.plant.position_rad[joint]!,
      rate_rad_s: this.plant.velocity_rad_s[joint]!,
      torque_share: this.plant.torque_n_m[joint]! / DRIVE.torque_max_n_m[joint]!,
      temperature_c: this.plant.heat.temperature[joint]!,
    };
  }
}

/** DYNAMIXEL X-series servos with an arm. */
export class ServoEmulator extends ArmEmulator<EmulatedServo> {
  private readonly line_baud: number;

  constructor(options: EmulatorOptions) {
    const { servos = DEFAULT_SERVOS, drive = 'factory', line_baud = LINE_BAUD } = options;
    super(options, (sensorsOf) =>
      servos.map((setup) => new EmulatedServo(setup, sensorsOf(setup.joint), drive)),
    );
    this.line_baud = line_baud;
    if (drive === 'factory') this.plant.dry_friction_n_m.set(GEAR_FRICTION_N_M);
  }

  attach(send: ReceiveBytes): ReceiveBytes {
    const collector = new FrameCollector();
    return (bytes) => {
      this.catchUpToBytes();
      for (const frame of collector.take(bytes)) {
        const receivers = this.servos.filter(
          (servo) => servo.memory.get('baud') === this.line_baud,
        );
        if (frame.valid) for (const servo of receivers) servo.packetReceived();
        const replies = executeInstruction(
          { servos: receivers, chainBreaks: this.chainBreaks },
          frame,
        );
        for (const reply of replies) send(Uint8Array.from(reply));
      }
    };
  }
}
