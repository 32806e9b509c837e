/** Forces at points of the arm as joint torques (Jᵀ F). SI units, robot frame. */

import { JOINT_COUNT, JOINT_SENSE, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { createFrames, FRAME_SIZE } from '../kinematics/forward.ts';
import type { Numbers } from '../math/vector.ts';

/** Whether a joint's angle grows about the positive axis of its frame. */
const IS_ALONG = TURNS_ABOUT_Z.map((aboutZ, j) => aboutZ === JOINT_SENSE[j]! > 0);

/** Sums the joint torques of forces that act at points of the arm. No allocation. */
export class JointForces {
  /** Frames of the joints, which the caller writes. */
  readonly frames = createFrames();
  /** The force (N) and where it acts (m), which the caller writes. */
  readonly force = new Float64Array(3);
  readonly point = new Float64Array(3);
  private readonly torque: Float64Array;

  constructor(torque: Float64Array) {
    this.torque = torque;
  }

  /** Adds the joint torques of `force` at `point` on a body: a link, or what link 6 carries. */
  add(body: number): void {
    const links = Math.min(body, JOINT_COUNT);
    for (let j = 0; j < links; j++) this.torque[j]! += this.momentAbout(j);
  }

  /** Speed along `force`, times its size, of `point` on a body at joint rates (rad/s). */
  speedAlong(body: number, rates: Numbers): number {
    let speed = 0;
    for (let j = 0; j < Math.min(body, JOINT_COUNT); j++) speed += this.momentAbout(j) * rates[j]!;
    return speed;
  }

  /** Moment of `force` at `point` about joint `j`. */
  momentAbout(j: number): number {
    const { force, frames, point } = this;
    const at = (j + 1) * FRAME_SIZE;
    const x = point[0]! - frames[at + 9]!;
    const y = point[1]! - frames[at + 10]!;
    const z = point[2]! - frames[at + 11]!;
    const mx = y * force[2]! - z * force[1]!;
    const my = z * force[0]! - x * force[2]!;
    const mz = x * force[1]! - y * force[0]!;
    const column = TURNS_ABOUT_Z[j] ? 2 : 1;
    const part =
      frames[at + column]! * mx + frames[at + 3 + column]! * my + frames[at + 6 + column]! * mz;
    return IS_ALONG[j] ? part : -part;
  }
}
