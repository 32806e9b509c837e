/** Endless random moves at full joint speed, sample by sample, for plant tests and benches. */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { randomNumbers } from '../dynamics/states.cases.ts';
import { doubleS } from '../motion/double-s.ts';
import { PLANNING_LIMITS } from '../motion/limits.ts';
import { createProfilePoint, sampleProfile, type TimeProfile } from '../motion/time-profile.ts';

const STEP_S = 0.001;

/** Fastest rest-to-rest timing of a straight joint line within the joints' limits. */
function timingOf(start: Float64Array, end: Float64Array): TimeProfile {
  const share = (limits: Float64Array): number =>
    Math.min(...limits.map((limit, j) => limit / Math.abs(end[j]! - start[j]!)));
  return doubleS(0, 1, {
    v: share(PLANNING_LIMITS.velocity_rad_s),
    a: share(PLANNING_LIMITS.acceleration_rad_s2),
    j: share(PLANNING_LIMITS.jerk_rad_s3),
  });
}

export class RandomMoves {
  /** Rows of six angles (rad): 1 ms before now, now, 1 ms after. */
  readonly samples = new Float64Array(18);
  private readonly random: () => number;
  private readonly point = createProfilePoint();
  private start: Float64Array;
  private end: Float64Array;
  private profile: TimeProfile;
  private elapsed = 0;

  constructor(seed: number, start: Float64Array) {
    this.random = randomNumbers(seed);
    this.start = start;
    this.end = this.target();
    this.profile = timingOf(this.start, this.end);
    for (let i = 0; i < 18; i++) this.samples[i] = start[i % 6]!;
  }

  private target(): Float64Array {
    return JOINT_MIN_RAD.map((low, j) => {
      const high = JOINT_MAX_RAD[j]!;
      return 0.5 * (low + high) + 0.5 * (high - low) * this.random();
    });
  }

  /** Advances the window by 1 ms. */
  advance(): void {
    this.samples.copyWithin(0, 6);
    this.elapsed += 1;
    const t_s = this.elapsed * STEP_S;
    sampleProfile(this.profile, t_s, this.point);
    for (let j = 0; j < 6; j++) {
      const travel = this.end[j]! - this.start[j]!;
      this.samples[12 + j] = this.start[j]! + travel * this.point.s;
    }
    if (t_s < this.profile.duration_s) return;
    this.start = this.end;
    this.end = this.target();
    this.profile = timingOf(this.start, this.end);
    this.elapsed = 0;
  }
}
