/**
 * The force at the touching place that the torque residuals of the joints amount to (D30). Torques
 * do not say where a force acts: of the places below, the one whose force explains them best
 * counts. Between two places the force is wrong by the ratio of their levers. A load that nobody
 * declared shifts the residuals too; it is told apart as a weight at the flange, which is the same
 * in every pose. Needs no force sensor.
 */
import {
  FLANGE_M,
  JOINT_COUNT,
  JOINT_SENSE,
  PAYLOAD_BALL,
  PAYLOAD_MAX_KG,
  TURNS_ABOUT_Z,
} from '../arm/arm-model.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { length3 } from '../math/vector.ts';
import { CONTACT_THRESHOLDS_N_M } from './contact-sensitivity.ts';
import { GRAVITY_M_S2 } from './gravity.ts';

/** A place on a link: between the origins of two frames, `share` of the way to the second. */
interface Place {
  /** The joints up to this one feel a force there. */
  readonly link: number;
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

/** The last one lies beyond the flange, where a tool or a load touches. */
const PLACES: readonly Place[] = [
  { link: 2, from: 2, to: 3, share: 0.5 },
  { link: 2, from: 2, to: 3, share: 1 },
  { link: 4, from: 3, to: 5, share: 0.5 },
  { link: 4, from: 3, to: 5, share: 1 },
  { link: 5, from: 5, to: 6, share: 0.5 },
  { link: 6, from: 6, to: FLANGE_FRAME, share: 1 },
  { link: 6, from: 6, to: FLANGE_FRAME, share: 2.5 },
];
/** Weights of squared torques: a joint counts as far as it feels a contact. */
const THRESHOLDS = CONTACT_THRESHOLDS_N_M.high;
const WEIGHTS = THRESHOLDS.map((threshold) => 1 / (threshold * threshold));
/** A force of this size (N) in a direction that no joint feels costs as much as one threshold. */
const UNFELT_N = 200;
const RIDGE = 1 / (UNFELT_N * UNFELT_N);

/** Where a load has its centre: beyond the flange by its radius. */
const LOAD: Place = {
  link: 6,
  from: 6,
  to: FLANGE_FRAME,
  share: 1 + PAYLOAD_BALL.offset_beyond_flange_m / FLANGE_M,
};

/** Estimates contact forces and undeclared weights from external joint torques. No allocation. */
export class ExternalForce {
  private readonly frames = createFrames();
  /** Torque of the drives against 1 kg at the place of a load (N m). */
  private readonly weight = new Float64Array(JOINT_COUNT);
  /** Velocity of the place per rate of each joint (m): three numbers a joint. */
  private readonly levers = new Float64Array(3 * JOINT_COUNT);
  /** Normal matrix, upper half by rows, and right side. */
  private readonly matrix = new Float64Array(6);
  private readonly side = new Float64Array(3);
  private readonly force = new Float64Array(3);

  /** Sets the angles (rad) that the other calls are about. */
  place(q: Float64Array): void {
    forward(q, this.frames);
    this.writeLevers(LOAD);
    const { levers, weight } = this;
    for (let j = 0; j < JOINT_COUNT; j++) weight[j] = -GRAVITY_M_S2 * levers[3 * j + 2]!;
  }

  /** The weight (kg) at the flange that explains residuals (N m) best; not beyond the capacity. */
  load_kg(residual: Float64Array, at: number): number {
    const { weight } = this;
    let product = 0;
    let square = 0;
    for (let j = 0; j < JOINT_COUNT; j++) {
      product += WEIGHTS[j]! * weight[j]! * residual[at + j]!;
      square += WEIGHTS[j]! * weight[j]! * weight[j]!;
    }
    const load = square > 0 ? product / square : 0;
    return Math.min(Math.max(load, -PAYLOAD_MAX_KG), PAYLOAD_MAX_KG);
  }

  /** Whether a weight (kg) leaves of the residuals less than what counts as a contact. */
  isExplained(residual: Float64Array, at: number, load_kg: number): boolean {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const rest = residual[at + j]! - load_kg * this.weight[j]!;
      if (Math.abs(rest) > THRESHOLDS[j]!) return false;
    }
    return true;
  }

  /**
   * Writes the part of the residuals (N m) that is no weight: what lies beyond those of `load_kg`.
   * Between them and none, nothing is external.
   */
  writeExternal(residual: Float64Array, load_kg: number, out: Float64Array): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const shift = load_kg * this.weight[j]!;
      const low = Math.min(shift, 0);
      const high = Math.max(shift, 0);
      out[j] = residual[j]! - Math.min(Math.max(residual[j]!, low), high);
    }
  }

  /** Size of the force (N) that explains external torques (N m) best. */
  size_n(torque: Float64Array): number {
    let isFelt = false;
    for (let j = 0; j < JOINT_COUNT; j++) if (torque[j] !== 0) isFelt = true;
    if (!isFelt) return 0;
    let most = 0;
    let size = 0;
    for (let i = 0; i < PLACES.length; i++) {
      const explained = this.fit(PLACES[i]!, torque);
      if (explained <= most) continue;
      most = explained;
      const { force } = this;
      size = length3(force[0]!, force[1]!, force[2]!);
    }
    return size;
  }

  /** Fits the force at a place; returns how much of the weighted torques it explains. */
  private fit(place: Place, torque: Float64Array): number {
    const { matrix: m, side, levers } = this;
    this.writeLevers(place);
    m.fill(0);
    m[0] = RIDGE;
    m[3] = RIDGE;
    m[5] = RIDGE;
    side.fill(0);
    for (let j = 0; j < place.link; j++) {
      const weight = WEIGHTS[j]!;
      const x = levers[3 * j]!;
      const y = levers[3 * j + 1]!;
      const z = levers[3 * j + 2]!;
      m[0]! += weight * x * x;
      m[1]! += weight * x * y;
      m[2]! += weight * x * z;
      m[3]! += weight * y * y;
      m[4]! += weight * y * z;
      m[5]! += weight * z * z;
      const part = weight * torque[j]!;
      side[0]! += part * x;
      side[1]! += part * y;
      side[2]! += part * z;
    }
    return this.solve();
  }

  /** Solves for the force by the adjugate; the ridge keeps the matrix regular. */
  private solve(): number {
    const { matrix: m, side: s, force } = this;
    const a = m[0]!;
    const b = m[1]!;
    const c = m[2]!;
    const d = m[3]!;
    const e = m[4]!;
    const f = m[5]!;
    const xx = d * f - e * e;
    const xy = c * e - b * f;
    const xz = b * e - c * d;
    const yy = a * f - c * c;
    const yz = b * c - a * e;
    const zz = a * d - b * b;
    const scale = 1 / (a * xx + b * xy + c * xz);
    force[0] = scale * (xx * s[0]! + xy * s[1]! + xz * s[2]!);
    force[1] = scale * (xy * s[0]! + yy * s[1]! + yz * s[2]!);
    force[2] = scale * (xz * s[0]! + yz * s[1]! + zz * s[2]!);
    return force[0]! * s[0]! + force[1]! * s[1]! + force[2]! * s[2]!;
  }

  private writeLevers({ link, from, to, share }: Place): void {
    const { frames: f, levers } = this;
    const start = from * FRAME_SIZE + 9;
    const end = to * FRAME_SIZE + 9;
    const px = f[start]! + share * (f[end]! - f[start]!);
    const py = f[start + 1]! + share * (f[end + 1]! - f[start + 1]!);
    const pz = f[start + 2]! + share * (f[end + 2]! - f[start + 2]!);
    for (let j = 0; j < link; j++) {
      const at = (j + 1) * FRAME_SIZE;
      const x = px - f[at + 9]!;
      const y = py - f[at + 10]!;
      const z = pz - f[at + 11]!;
      const column = at + (TURNS_ABOUT_Z[j] ? 2 : 1);
      const sign = (TURNS_ABOUT_Z[j] ? 1 : -1) * JOINT_SENSE[j]!;
      const ax = sign * f[column]!;
      const ay = sign * f[column + 3]!;
      const az = sign * f[column + 6]!;
      levers[3 * j] = ay * z - az * y;
      levers[3 * j + 1] = az * x - ax * z;
      levers[3 * j + 2] = ax * y - ay * x;
    }
  }
}
