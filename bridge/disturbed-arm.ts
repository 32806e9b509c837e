/**
 * A driver around another, whose reports can be disturbed: noise on what the joints tell, a touch
 * that nobody made. It stands apart from the drivers so that any of them can be disturbed; while
 * nothing is, it hands their reports through untouched.
 */
import {
  type ArmDriver,
  type ContactReport,
  type Feedback,
  type Setpoint,
  TICK_S,
} from './arm-driver.ts';

/** By how much reports are off at most (SI units, °C); `seed` chooses the course of it. */
export interface SensorNoise {
  readonly position_rad: number;
  readonly velocity_rad_s: number;
  readonly temperature_c: number;
  readonly seed: number;
}

/** What a disturbed driver remembers. */
export interface DisturbanceMemory {
  readonly ticks: number;
  readonly noise: SensorNoise | null;
  readonly contact: ContactReport | null;
}

/** The hand on a driver's reports. */
export interface ArmDisturbance {
  /** Noise on all reports from now on; null ends it. */
  setNoise(noise: SensorNoise | null): void;
  /** Makes a joint report a touch until `recover`. */
  touch(joint: number): void;
  save(): DisturbanceMemory;
  restore(memory: DisturbanceMemory): void;
}

/** A number in -1..1 of a seed, a tick and a place: the same at every pace, on every machine. */
function scatter(seed: number, tick: number, place: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(tick + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15) ^ Math.imul(place + 1, 0x27d4eb2f), 0x165667b1);
  return ((h ^ (h >>> 13)) >>> 0) / 0x80000000 - 1;
}

const FIRST_VELOCITY = 6;
const FIRST_TEMPERATURE = 12;

/** The driver, disturbable. */
export class DisturbedArm implements ArmDriver, ArmDisturbance {
  readonly name: string;
  readonly pace: ArmDriver['pace'];
  private readonly inner: ArmDriver;
  private memory: DisturbanceMemory = { ticks: 0, noise: null, contact: null };

  constructor(inner: ArmDriver) {
    this.inner = inner;
    this.name = inner.name;
    this.pace = inner.pace;
  }

  async start(): Promise<Feedback> {
    return this.disturbed(await this.inner.start());
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const ticks = this.memory.ticks + Math.round(dt_s / TICK_S);
    this.memory = { ...this.memory, ticks };
    return this.disturbed(this.inner.exchange(setpoint, dt_s));
  }

  recover(): boolean {
    this.memory = { ...this.memory, contact: null };
    return this.inner.recover();
  }

  stop(): Promise<void> {
    return this.inner.stop();
  }

  setNoise(noise: SensorNoise | null): void {
    this.memory = { ...this.memory, noise };
  }

  touch(joint: number): void {
    this.memory = { ...this.memory, contact: { joint, at_s: this.memory.ticks * TICK_S } };
  }

  save(): DisturbanceMemory {
    return this.memory;
  }

  restore(memory: DisturbanceMemory): void {
    this.memory = memory;
  }

  private disturbed(feedback: Feedback): Feedback {
    const { noise, contact, ticks } = this.memory;
    if (!noise && !contact) return feedback;
    return new DisturbedFeedback(feedback, () => this.memory.contact, noise && { noise, ticks });
  }
}

/**
 * Feedback with a disturbance over it. What the driver changes between two ticks (faults that are
 * cleared, contacts that are acknowledged) shows through, as it does without a disturbance.
 */
class DisturbedFeedback implements Feedback {
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  readonly temperature_c: Float64Array;
  readonly at_rest = false;
  private readonly inner: Feedback;
  private readonly touched: () => ContactReport | null;

  constructor(
    inner: Feedback,
    touched: () => ContactReport | null,
    noisy: { readonly noise: SensorNoise; readonly ticks: number } | null,
  ) {
    this.inner = inner;
    this.touched = touched;
    const off = (values: Float64Array, first: number, size: number) =>
      noisy
        ? values.map((value, j) => value + size * scatter(noisy.noise.seed, noisy.ticks, first + j))
        : values;
    this.position_rad = off(inner.position_rad, 0, noisy?.noise.position_rad ?? 0);
    this.velocity_rad_s = off(
      inner.velocity_rad_s,
      FIRST_VELOCITY,
      noisy?.noise.velocity_rad_s ?? 0,
    );
    this.temperature_c = off(
      inner.temperature_c,
      FIRST_TEMPERATURE,
      noisy?.noise.temperature_c ?? 0,
    );
  }

  get torque_n_m(): Float64Array {
    return this.inner.torque_n_m;
  }

  get age_s(): number {
    return this.inner.age_s;
  }

  get estop(): boolean {
    return this.inner.estop ?? false;
  }

  get fault(): Feedback['fault'] {
    return this.inner.fault;
  }

  get contact(): ContactReport | null {
    return this.inner.contact ?? this.touched();
  }
}
