import { PLANT_STEP_S } from '../../../physics/dynamics/plant-step.ts';

/** The gap of the gears between a motor and its output. */
export class GearGap {
  private readonly gap_rad: number;
  private readonly no_load_rad_s: number;
  /** Place of the teeth in the gap (rad); null: they touch on the side of the load. */
  private place_rad: number | null = null;

  constructor(gap_rad: number, no_load_rad_s: number) {
    this.gap_rad = gap_rad;
    this.no_load_rad_s = no_load_rad_s;
  }

  reset(): void {
    this.place_rad = null;
  }

  /**
   * The share of stall torque that reaches the output in the next millisecond: torque passes only
   * where the teeth touch, and the motor crosses the gap unloaded.
   */
  passed(share: number): number {
    const free_rad_s = share * this.no_load_rad_s;
    const before_rad = this.place_rad ?? (share > 0 ? this.gap_rad : 0);
    const moved_rad = before_rad + PLANT_STEP_S * free_rad_s;
    this.place_rad = Math.min(this.gap_rad, Math.max(0, moved_rad));
    const touches = share > 0 ? this.place_rad === this.gap_rad : this.place_rad === 0;
    return touches ? share : 0;
  }
}
