/**
 * A driver that runs a real arm and a model of it side by side. The model receives the same
 * commands as the servos, for the same durations by the servos' clock, so a late control loop
 * affects both alike. The feedback is that of the real arm. The deviation at each sample is
 * reported, warned about when large, and summarised at stop.
 */

import { jointName } from '../physics/arm/arm-model.ts';
import type { ArmDriver, Feedback, Setpoint } from './arm-driver.ts';
import type { JointDeviation } from './arm-instruments.ts';
import { ResidualReport } from './residual-report.ts';
import type { CommandInterval, TimedSamples } from './servo/joint-bus.ts';
import { ServoPlant } from './servo/servo-plant.ts';

export interface MirroredArmOptions {
  readonly real: ArmDriver;
  /** Commands to the servos of the real arm, and their samples. */
  readonly timed: TimedSamples;
  /** Receives warnings, and at the end the deviations of each joint as fields. */
  readonly log: {
    readonly warn: (text: string) => void;
    readonly info: (text: string, fields: Readonly<Record<string, unknown>>) => void;
  };
}

/** Thresholds of warnings: angle (rad) and torque (N m). */
const WARN_RAD = 0.15;
const WARN_N_M = 15;
/** Torques have peaks: they are compared low-pass filtered with this time constant (ms). */
const SMOOTHING_MS = 100;

export class MirroredArm implements ArmDriver {
  readonly name = 'mirrored';
  readonly pace: ArmDriver['pace'];
  /** Real minus model at the last sample: angles (rad) and torques (N m). */
  readonly position_residual_rad = new Float64Array(6);
  readonly torque_residual_n_m = new Float64Array(6);
  readonly residuals = new ResidualReport();
  private readonly options: MirroredArmOptions;
  private readonly warned = new Set<string>();
  private readonly model = new ServoPlant(new Float64Array(6));
  /** The model cannot predict an arm that is pushed or faulty: it is set to the measured state. */
  private resync = true;
  private started = false;

  constructor(options: MirroredArmOptions) {
    this.options = options;
    this.pace = options.real.pace;
    options.timed.onCommandIntervals((commands) => this.compare(commands));
  }

  async start(): Promise<Feedback> {
    const feedback = await this.options.real.start();
    this.started = true;
    return feedback;
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const feedback = this.options.real.exchange(setpoint, dt_s);
    this.model.setPayload(setpoint.payload_kg);
    this.resync =
      feedback.fault !== null || feedback.contact !== null || setpoint.mode === 'backdrive';
    return feedback;
  }

  /** Compares model and arm at a sample, with the commands since the previous one. */
  private compare(commands: readonly CommandInterval[]): void {
    const { model } = this;
    const { position_rad, velocity_rad_s, torque_n_m } = this.options.timed.samples;
    if (this.resync || commands.length === 0) {
      model.position_rad.set(position_rad);
      model.velocity_rad_s.set(velocity_rad_s);
      this.position_residual_rad.fill(0);
      this.torque_residual_n_m.fill(0);
      return;
    }
    const passed_ms = this.advance(commands);
    const share = Math.min(1, passed_ms / SMOOTHING_MS);
    for (let j = 0; j < 6; j++) {
      this.position_residual_rad[j] = position_rad[j]! - model.position_rad[j]!;
      const torque = torque_n_m[j]! - model.torque_n_m[j]!;
      this.torque_residual_n_m[j]! += share * (torque - this.torque_residual_n_m[j]!);
    }
    this.residuals.add(this.position_residual_rad, this.torque_residual_n_m);
    this.warn('angle', this.position_residual_rad, WARN_RAD);
    this.warn('torque', this.torque_residual_n_m, WARN_N_M);
  }

  /** Runs the commands in the model, in steps of 1 ms; returns the time passed (ms). */
  private advance(commands: readonly CommandInterval[]): number {
    let passed_ms = 0;
    for (const { goal_rad, duration_ms } of commands) {
      goal_rad.forEach((angle_rad, j) => {
        this.model.drives[j] = { kind: 'position', angle_rad, share_max: 1 };
      });
      for (let i = 0; i < duration_ms; i++) this.model.step();
      passed_ms += duration_ms;
    }
    return passed_ms;
  }

  /** Warns once for each joint and kind, until the deviation is below half of the threshold. */
  private warn(kind: string, residual: Float64Array, threshold: number): void {
    for (let j = 0; j < 6; j++) {
      const size = Math.abs(residual[j]!);
      const key = `${kind} ${j}`;
      if (size < threshold / 2) this.warned.delete(key);
      if (size <= threshold || this.warned.has(key)) continue;
      this.warned.add(key);
      const unit = kind === 'angle' ? 'rad' : 'N m';
      const deviation = `${size.toFixed(3)} ${unit} from its model`;
      this.options.log.warn(
        `The ${kind} of ${jointName(j)} is ${deviation}; check calibration and load`,
      );
    }
  }

  /**
   * Deviation of the real arm from its model, now and over the run so far; null while the two are
   * not compared, so that the last one before a fault does not pass for the present one.
   */
  differences(): readonly JointDeviation[] | null {
    if (this.resync) return null;
    return this.residuals.joints().map((row, joint) => ({
      joint,
      position_rad: this.position_residual_rad[joint]!,
      torque_n_m: this.torque_residual_n_m[joint]!,
      ...row,
    }));
  }

  get range_rad() {
    return this.options.real.range_rad ?? null;
  }

  get drivenTool() {
    return this.options.real.drivenTool ?? null;
  }

  get guidingRefusal(): string | null {
    return this.options.real.guidingRefusal ?? null;
  }

  recover(): boolean {
    return this.options.real.recover();
  }

  async stop(): Promise<void> {
    if (this.started) {
      const fields = { samples: this.residuals.count, joints: this.residuals.joints() };
      this.options.log.info('Deviation of the real arm from its model', fields);
    }
    this.started = false;
    await this.options.real.stop();
  }
}
