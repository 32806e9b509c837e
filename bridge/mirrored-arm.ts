/**
 * A driver made of two: the real arm, and the simulated one as its shadow, told the same. Feedback
 * is the real arm's; the difference says what the model does not know, warns when it is large, and
 * is summed up at the end.
 */
import type { ArmDriver, Feedback, Setpoint } from './arm-driver.ts';
import type { JointDifference } from './arm-instruments.ts';
import type { ArmWorld } from './arm-world.ts';
import { ResidualReport } from './residual-report.ts';
import { createSimulatedArm } from './simulated-arm.ts';

export interface MirroredArmOptions {
  readonly real: ArmDriver;
  /** Takes warnings and the final report. */
  readonly tell: (text: string) => void;
  /** Differences beyond these are warned of: angle (rad) and torque (N m). */
  readonly warn_rad?: number;
  readonly warn_n_m?: number;
}

const WARN_RAD = 0.15;
const WARN_N_M = 15;
/** Currents come in steps of the bus cycle: torques are compared smoothed over this time (s). */
const SMOOTHING_S = 0.1;

export class MirroredArm implements ArmDriver {
  readonly name = 'mirrored';
  readonly pace: ArmDriver['pace'];
  /** Real minus shadow at the last tick: angles (rad) and torques (N m). */
  readonly position_residual_rad = new Float64Array(6);
  readonly torque_residual_n_m = new Float64Array(6);
  readonly residuals = new ResidualReport();
  private readonly options: MirroredArmOptions;
  private readonly warned = new Set<string>();
  private shadow: (ArmDriver & { world: ArmWorld }) | null = null;

  constructor(options: MirroredArmOptions) {
    this.options = options;
    this.pace = options.real.pace;
  }

  async start(): Promise<Feedback> {
    // Making the shadow takes its time, and servos that have started do not like to wait.
    const shadow = createSimulatedArm({ plant: 'fast' });
    await shadow.start();
    const feedback = await this.options.real.start();
    shadow.world.place(feedback.position_rad);
    this.shadow = shadow;
    return feedback;
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const feedback = this.options.real.exchange(setpoint, dt_s);
    const { shadow } = this;
    if (!shadow) return feedback;
    const apart = feedback.fault !== null || feedback.contact !== null;
    // Where a hand or a fault moves the real arm the model cannot know: it is put beside it.
    if (apart || setpoint.mode === 'limp') this.align(feedback);
    else this.compare(feedback, shadow.exchange(setpoint, dt_s), dt_s);
    return feedback;
  }

  private align({ position_rad }: Feedback): void {
    this.shadow?.recover();
    this.shadow?.world.place(position_rad);
  }

  private compare(real: Feedback, model: Feedback, dt_s: number): void {
    const share = Math.min(1, dt_s / SMOOTHING_S);
    for (let j = 0; j < 6; j++) {
      this.position_residual_rad[j] = real.position_rad[j]! - model.position_rad[j]!;
      const torque = real.torque_n_m[j]! - model.torque_n_m[j]!;
      this.torque_residual_n_m[j]! += share * (torque - this.torque_residual_n_m[j]!);
    }
    this.residuals.add(this.position_residual_rad, this.torque_residual_n_m);
    const { warn_rad = WARN_RAD, warn_n_m = WARN_N_M } = this.options;
    this.warn('angle', this.position_residual_rad, warn_rad);
    this.warn('torque', this.torque_residual_n_m, warn_n_m);
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
    if (this.shadow) this.options.tell(this.residuals.text());
    await this.shadow?.stop();
    this.shadow = null;
    await this.options.real.stop();
  }
}
