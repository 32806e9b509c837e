/**
 * How far a real arm is from its model, joint by joint: root mean square and greatest difference of
 * angle and torque over a run. For the report after it, and for warnings in it.
 */

export interface JointResidual {
  readonly position_rms_rad: number;
  readonly position_max_rad: number;
  readonly torque_rms_n_m: number;
  readonly torque_max_n_m: number;
}

export class ResidualReport {
  private samples = 0;
  private readonly position_squares = new Float64Array(6);
  private readonly position_max = new Float64Array(6);
  private readonly torque_squares = new Float64Array(6);
  private readonly torque_max = new Float64Array(6);

  /** Takes one sample's differences (rad, N m). */
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

  /** One row a joint, from the base on. */
  joints(): readonly JointResidual[] {
    const count = Math.max(1, this.samples);
    return Array.from({ length: 6 }, (_, j) => ({
      position_rms_rad: Math.sqrt(this.position_squares[j]! / count),
      position_max_rad: this.position_max[j]!,
      torque_rms_n_m: Math.sqrt(this.torque_squares[j]! / count),
      torque_max_n_m: this.torque_max[j]!,
    }));
  }

  /** The report as a table for people. */
  text(): string {
    const line = (cells: readonly string[]) => cells.map((cell) => cell.padStart(11)).join('');
    const rows = this.joints().map((row, j) =>
      line([
        `joint ${j}`,
        row.position_rms_rad.toFixed(4),
        row.position_max_rad.toFixed(4),
        row.torque_rms_n_m.toFixed(2),
        row.torque_max_n_m.toFixed(2),
      ]),
    );
    const head = line(['', 'rms rad', 'max rad', 'rms N m', 'max N m']);
    return `real arm against its model over ${this.samples} samples\n${head}\n${rows.join('\n')}\n`;
  }
}
