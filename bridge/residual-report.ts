export interface JointResidual {
  readonly position_rms_rad: number;
  readonly position_max_rad: number;
  readonly torque_rms_n_m: number;
  readonly torque_max_n_m: number;
}

/**
 * Deviation of a real arm from its model over a run, per joint: root mean square and maximum of
 * angle and torque.
 */
export class ResidualReport {
  private samples = 0;
  private readonly position_squares = new Float64Array(6);
  private readonly position_max = new Float64Array(6);
  private readonly torque_squares = new Float64Array(6);
  private readonly torque_max = new Float64Array(6);

  /** Adds the deviations of one sample (rad, N m). */
  add(position_rad: Float64Array, torque_n_m: Float64Array): void {
    this.samples += 1;
    for (let j = 0; j < 6; j++) {
      const angle = Math.abs(position_rad[j]!);
      const torque = Math.abs(torque_n_m[j]!);
      this.position_squares[j]! += angle * angle;
      this.torque_squares[j]! += torque * torque;
      this.position_max[j] = Math.max(this.position_max[j]!, angle);
      this.torque_max[j] = Math.max(this.torque_max[j]!, torque);
    }
  }

  /** Samples so far. */
  get count(): number {
    return this.samples;
  }

  /** One row for each joint, from the base on. */
  joints(): readonly JointResidual[] {
    const count = Math.max(1, this.samples);
    return Array.from({ length: 6 }, (_, j) => ({
      position_rms_rad: Math.sqrt(this.position_squares[j]! / count),
      position_max_rad: this.position_max[j]!,
      torque_rms_n_m: Math.sqrt(this.torque_squares[j]! / count),
      torque_max_n_m: this.torque_max[j]!,
    }));
  }
}
