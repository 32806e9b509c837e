/**
 * A bus of emulated servos with an arm behind them, as seen from the line: bytes in, bytes out.
 * Nothing of the driver is in it, so that everything above the wire runs as with real servos. Time
 * is its clock's: it catches up when somebody talks to it or looks at it.
 */
import { DRIVE } from '../../physics/arm/arm-model.ts';
import { ServoPlant } from '../servo-plant.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import type { Receive, WirePeer } from '../transport/transport.ts';
import { EmulatedServo, type ServoSetup } from './emulated-servo.ts';
import { FrameCollector } from './framing.ts';
import { obey } from './instruction-set.ts';
import type { JointSensors } from './servo-shaft.ts';

export interface EmulatorOptions {
  readonly clock: BusClock;
  readonly servos?: readonly ServoSetup[];
  /** Where the arm stands at first (rad). */
  readonly start?: ArrayLike<number>;
  /** Baud code of the line; servos set to another hear nothing. */
  readonly line_baud?: number;
  /** True: each joint rests on a support until one of its servos holds it for the first time. */
  readonly supported?: boolean;
  /**
   * Somebody lets time pass at least so often (ms). A longer gap means that this process was kept
   * from its work: what was said meanwhile counts as heard meanwhile. Absent: gaps are silence.
   */
  readonly attended_ms?: number;
}

/** One million baud. */
const LINE_BAUD = 3;
/** Time that nobody looked at moves nothing beyond this (ms); servos count it all the same. */
const CATCH_UP_MS = 3000;

/** Six servos, ids 1 to 6, set up as a builder leaves them. */
export const DEFAULT_SERVOS: readonly ServoSetup[] = Array.from({ length: 6 }, (_, joint) => ({
  id: joint + 1,
  joint,
  model: joint < 3 ? ('XM540-W270' as const) : ('XM430-W350' as const),
  registers: { baud: LINE_BAUD, return_delay: 0 },
}));

export class ServoEmulator implements WirePeer {
  readonly servos: readonly EmulatedServo[];
  readonly plant: ServoPlant;
  /** True: servos behind a missing one stay silent in common reads. */
  chainBreaks = true;
  private readonly clock: BusClock;
  private readonly line_baud: number;
  private readonly supported: Set<number>;
  private readonly attended_ms: number;
  private time_ms: number;

  constructor(options: EmulatorOptions) {
    const { clock, servos = DEFAULT_SERVOS, start, line_baud = LINE_BAUD } = options;
    this.clock = clock;
    this.line_baud = line_baud;
    this.attended_ms = options.attended_ms ?? Number.POSITIVE_INFINITY;
    this.time_ms = Math.floor(clock.now_ms());
    this.plant = new ServoPlant(start ?? new Float64Array(6));
    this.supported = new Set(options.supported ? [0, 1, 2, 3, 4, 5] : []);
    for (const joint of this.supported) this.plant.blocked.add(joint);
    this.servos = servos.map((setup) => new EmulatedServo(setup, this.sensorsOf(setup.joint)));
  }

  /** The servo with an id; a test that names another is wrong. */
  servo(id: number): EmulatedServo {
    const found = this.servos.find((servo) => servo.id === id);
    if (!found) throw new Error(`no emulated servo has id ${id}`);
    return found;
  }

  attach(send: Receive): Receive {
    const collector = new FrameCollector();
    return (bytes) => {
      this.catchUp(this.clock.now_ms() - this.time_ms > this.attended_ms);
      for (const frame of collector.take(bytes)) {
        const hearing = this.servos.filter((servo) => servo.memory.get('baud') === this.line_baud);
        if (frame.sound) for (const servo of hearing) servo.hear();
        const says = obey({ servos: hearing, chainBreaks: this.chainBreaks }, frame);
        for (const said of says) send(Uint8Array.from(said));
      }
    };
  }

  /** Lets the arm move up to the present moment, while servos were spoken to or not. */
  catchUp(spokenTo = false): void {
    const now_ms = Math.floor(this.clock.now_ms());
    const skipped_ms = Math.max(0, now_ms - CATCH_UP_MS - this.time_ms);
    if (skipped_ms > 0) for (const servo of this.servos) servo.skip(skipped_ms);
    this.time_ms += skipped_ms;
    for (; this.time_ms < now_ms; this.time_ms++) {
      if (spokenTo) for (const servo of this.servos) servo.hear();
      this.step();
    }
  }

  private step(): void {
    for (const servo of this.servos) servo.step();
    for (let j = 0; j < 6; j++) {
      const driving = this.servos.find((servo) => servo.setup.joint === j && servo.torqueOn);
      this.plant.drives[j] = driving?.drive ?? { kind: 'off' };
      if (driving && this.supported.delete(j)) this.plant.blocked.delete(j);
    }
    this.plant.step();
    for (const servo of this.servos) servo.sense(this.sensorsOf(servo.setup.joint));
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
