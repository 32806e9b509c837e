/**
 * A driver made of two: the real arm, and a model of it that is told what the servos are told, for
 * as long by their own clock. Feedback is the real arm's; the difference, taken at the moment of
 * each sample, says what the model does not know, warns when it is large, and is summed up at the
 * end. A late loop moves both alike.
 */
import type { ArmDriver, Feedback, Setpoint } from './arm-driver.ts';
import type { JointDifference } from './arm-instruments.ts';
import { ResidualReport } from './residual-report.ts';
import type { Stretch } from './servo/goal-trace.ts';
import type { ServoLink } from './servo/servo-link.ts';
import { ServoPlant } from './servo-plant.ts';

export interface MirroredArmOptions {
  readonly real: ArmDriver;
  /** What the real arm's servos are told and answer. */
  readonly link: Pick<ServoLink, 'follow' | 'samples'>;
  /** Takes warnings and the final report. */
  readonly tell: (text: string) => void;
}

/** Differences beyond these are warned of: angle (rad) and torque (N m). */
const WARN_RAD = 0.15;
const WARN_N_M = 15;
/** Goals come in steps and torques in peaks: these are compared smoothed over this time (ms). */
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
  /** Where a hand or a fault moves the real arm, the model cannot know: it is put beside it. */
  private apart = true;
  private started = false;

  constructor(options: MirroredArmOptions) {
    this.options = options;
    this.pace = options.real.pace;
    options.link.follow((told) => this.compare(told));
  }

  async start(): Promise<Feedback> {
    const feedback = await this.options.real.start();
    this.started = true;
    return feedback;
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const feedback = this.options.real.exchange(setpoint, dt_s);
    this.model.setPayload(setpoint.payload_kg);
    this.apart = feedback.fault !== null || feedback.contact !== null || setpoint.mode === 'limp';
    return feedback;
  }

  /** At a sample of the real arm, with what it was told since the one before. */
  private compare(told: readonly Stretch[]): void {
    const { model } = this;
    const { position_rad, velocity_rad_s, torque_n_m } = this.options.link.samples;
    if (this.apart || told.length === 0) {
      model.position_rad.set(position_rad);
      model.velocity_rad_s.set(velocity_rad_s);
      return;
    }
    const passed_ms = this.advance(told);
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

  /** Lets the model do what it is told, in steps of 1 ms; answers for how long. */
  private advance(told: readonly Stretch[]): number {
    let passed_ms = 0;
    for (const { goal_rad, duration_ms } of told) {
      goal_rad.forEach((angle_rad, j) => {
        this.model.drives[j] = { kind: 'position', angle_rad, share_max: 1 };
      });
      for (let i = 0; i < duration_ms; i++) this.model.step();
      passed_ms += duration_ms;
    }
    return passed_ms;
  }

  /** Tells of each joint and kind once until it has come back to half of the threshold. */
  private warn(kind: string, residual: Float64Array, threshold: number): void {
    for (let j = 0; j < 6; j++) {
      const size = Math.abs(residual[j]!);
      const key = `${kind} ${j}`;
      if (size < threshold / 2) this.warned.delete(key);
      if (size <= threshold || this.warned.has(key)) continue;
      this.warned.add(key);
      const unit = kind === 'angle' ? 'rad' : 'N m';
      const apart = `${size.toFixed(3)} ${unit} from its model`;
      this.options.tell(`The ${kind} of joint ${j} is ${apart}; check calibration and load\n`);
    }
  }

  /** How far the real arm is from its model now, and over the run so far. */
  differences(): readonly JointDifference[] {
    return this.residuals.joints().map((row, joint) => ({
      joint,
      position_rad: this.position_residual_rad[joint]!,
      torque_n_m: this.torque_residual_n_m[joint]!,
      ...row,
    }));
  }

  recover(): boolean {
    return this.options.real.recover();
  }

  async stop(): Promise<void> {
    if (this.started) this.options.tell(this.residuals.text());
    this.started = false;
    await this.options.real.stop();
  }
}
