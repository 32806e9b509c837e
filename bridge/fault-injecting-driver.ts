/**
 * A joint driver that injects faults into the feedback of another one: sensor noise and contacts.
 * Without an active fault it returns the inner driver's feedback unchanged.
 */
import { channelNoiseAt } from '../physics/math/prng.ts';
import {
  type ArmDriver,
  type ContactReactionReport,
  type ContactReport,
  emptyFeedback,
  type Feedback,
  type Setpoint,
  TICK_S,
} from './arm-driver.ts';

/** Amplitudes of the sensor noise (rad, rad/s, °C) and its seed. */
export interface SensorNoise {
  readonly position_rad: number;
  readonly velocity_rad_s: number;
  readonly temperature_c: number;
  readonly seed: number;
}

/** State of the injected driver faults; part of the snapshot and recording formats. */
export interface DriverFaultState {
  readonly ticks: number;
  readonly noise: SensorNoise | null;
  readonly contact: ContactReport | null;
  /** What is in the last feedback; null without faults. */
  readonly reported: ReportedFaults | null;
}

/** The faults that a feedback contains; contacts of an affected one are read at access. */
interface ReportedFaults {
  readonly noise: SensorNoise | null;
}

/** Injects faults into a driver's feedback. */
export interface DriverFaults {
  /** The last feedback at the present state of the inner driver. */
  readonly feedback: Feedback;
  /** Sets the noise of all later feedback; null ends it. */
  setNoise(noise: SensorNoise | null): void;
  /** Reports a contact at a joint until `recover`. */
  injectContact(joint: number): void;
  save(): DriverFaultState;
  restore(state: DriverFaultState): void;
}

/** Noise channels: 0..5 positions, 6..11 velocities, 12..17 temperatures. */
const FIRST_VELOCITY = 6;
const FIRST_TEMPERATURE = 12;

export class FaultInjectingDriver implements ArmDriver, DriverFaults {
  readonly name: string;
  readonly pace: ArmDriver['pace'];
  private readonly inner: ArmDriver;
  private ticks = 0;
  private noise: SensorNoise | null = null;
  private contact: ContactReport | null = null;
  private latest: Feedback = emptyFeedback();
  private reported: ReportedFaults | null = null;

  constructor(inner: ArmDriver) {
    this.inner = inner;
    this.name = inner.name;
    this.pace = inner.pace;
  }

  async start(): Promise<Feedback> {
    return this.inject(await this.inner.start());
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    this.ticks += Math.round(dt_s / TICK_S);
    return this.inject(this.inner.exchange(setpoint, dt_s));
  }

  get range_rad() {
    return this.inner.range_rad ?? null;
  }

  get drivenTool() {
    return this.inner.drivenTool ?? null;
  }

  get guidingRefusal(): string | null {
    return this.inner.guidingRefusal ?? null;
  }

  recover(): boolean {
    this.contact = null;
    return this.inner.recover();
  }

  stop(): Promise<void> {
    return this.inner.stop();
  }

  setNoise(noise: SensorNoise | null): void {
    this.noise = noise;
  }

  injectContact(joint: number): void {
    this.contact = { joint, at_s: this.ticks * TICK_S };
  }

  save(): DriverFaultState {
    const { ticks, noise, contact, reported } = this;
    return { ticks, noise, contact, reported };
  }

  restore({ ticks, noise, contact, reported }: DriverFaultState): void {
    Object.assign(this, { ticks, noise, contact, reported });
  }

  get feedback(): Feedback {
    return this.reported ? this.withFaults(this.reported) : this.latest;
  }

  private inject(feedback: Feedback): Feedback {
    this.latest = feedback;
    this.reported = this.presentFaults;
    return this.feedback;
  }

  private get presentFaults(): ReportedFaults | null {
    return this.noise || this.contact ? { noise: this.noise } : null;
  }

  /** A function of its own, so that its closure is not allocated on ticks without faults. */
  private withFaults({ noise }: ReportedFaults): Feedback {
    const { ticks, latest } = this;
    return new FaultInjectedFeedback(latest, () => this.contact, noise && { noise, ticks });
  }
}

/**
 * Feedback with injected faults. Values that the driver changes between two ticks (cleared faults,
 * acknowledged contacts) are read from the inner feedback at access.
 */
class FaultInjectedFeedback implements Feedback {
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  readonly temperature_c: Float64Array;
  readonly at_rest = false;
  private readonly inner: Feedback;
  private readonly injectedContact: () => ContactReport | null;

  constructor(
    inner: Feedback,
    injectedContact: () => ContactReport | null,
    noisy: { readonly noise: SensorNoise; readonly ticks: number } | null,
  ) {
    this.inner = inner;
    this.injectedContact = injectedContact;
    const withNoise = (values: Float64Array, channel: number, amplitude: number) =>
      noisy
        ? values.map(
            (value, joint) =>
              value + amplitude * channelNoiseAt(noisy.noise.seed, noisy.ticks, channel + joint),
          )
        : values;
    this.position_rad = withNoise(inner.position_rad, 0, noisy?.noise.position_rad ?? 0);
    this.velocity_rad_s = withNoise(
      inner.velocity_rad_s,
      FIRST_VELOCITY,
      noisy?.noise.velocity_rad_s ?? 0,
    );
    this.temperature_c = withNoise(
      inner.temperature_c,
      FIRST_TEMPERATURE,
      noisy?.noise.temperature_c ?? 0,
    );
  }

  /** Of the inner driver: the drives hold what they hold, whatever is measured. */
  get held_rad(): Float64Array {
    return this.inner.held_rad ?? this.inner.position_rad;
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

  /** Of the inner driver: noise is no motion. */
  get standing(): boolean {
    return this.inner.standing;
  }

  get fault(): Feedback['fault'] {
    return this.inner.fault;
  }

  /** Of the inner driver: an injected contact presses on nothing. */
  get reaction(): ContactReactionReport | null {
    return this.inner.reaction ?? null;
  }

  get contact(): ContactReport | null {
    return this.inner.contact ?? this.injectedContact();
  }
}
