import { JOINT_COUNT } from '../arm/arm-model.ts';
import { TOOL_LINK } from '../arm/geometry.ts';
import { type CapsuleBody, placeBodyCapsule } from '../collision/capsule-body.ts';
import type { JointForces } from './joint-forces.ts';
import { STIFFNESS_N_PER_M } from './obstacle.ts';

/** Links 2 to 6 can lie on the floor, and what link 6 carries. */
const FIRST_LINK_OVER_FLOOR = 2;

/** The floor under the arm: links by all axis ends, carried bodies by their lowest point. */
export class FloorSupport {
  private readonly joints: JointForces;
  private readonly record: (body: number, force_n: number) => void;
  private readonly ends = new Float64Array(6);

  /** `record` is called for each force, while `point` of the joints says where it acts. */
  constructor(joints: JointForces, record: (body: number, force_n: number) => void) {
    this.joints = joints;
    this.record = record;
  }

  addLinks(bodies: readonly (CapsuleBody | null)[]): void {
    for (let link = FIRST_LINK_OVER_FLOOR; link <= JOINT_COUNT; link++) {
      const body = bodies[link]!;
      for (let i = 0; i < body.radius_m.length; i++) {
        placeBodyCapsule(this.joints.frames, body, i, this.ends);
        this.addForce(link, 0, body.radius_m[i]!);
        this.addForce(link, 3, body.radius_m[i]!);
      }
    }
  }

  /** Supports tool, load and gripper at their lowest point. */
  addCarried(bodies: readonly (CapsuleBody | null)[]): void {
    const { ends } = this;
    const { frames } = this.joints;
    for (let number = TOOL_LINK; number < bodies.length; number++) {
      const body = bodies[number]!;
      if (body === null) continue;
      let deepest = 0;
      let at = -1;
      for (let i = 0; i < body.radius_m.length; i++) {
        placeBodyCapsule(frames, body, i, ends);
        const end = ends[5]! < ends[2]! ? 3 : 0;
        const depth = body.radius_m[i]! - ends[end + 2]!;
        if (depth <= deepest) continue;
        deepest = depth;
        at = 6 * i + end;
      }
      if (at < 0) continue;
      const capsule = (at - (at % 6)) / 6;
      placeBodyCapsule(frames, body, capsule, ends);
      this.addForce(number, at % 6, body.radius_m[capsule]!);
    }
  }

  /** Supports the axis end at `ends[end]`, a ball of this radius, where it is in the floor. */
  private addForce(body: number, end: number, radius_m: number): void {
    const { ends } = this;
    const { force, point } = this.joints;
    const depth = radius_m - ends[end + 2]!;
    if (depth <= 0) return;
    point[0] = ends[end]!;
    point[1] = ends[end + 1]!;
    point[2] = 0;
    force[0] = 0;
    force[1] = 0;
    force[2] = STIFFNESS_N_PER_M * depth;
    this.record(body, force[2]!);
    this.joints.add(body);
  }
}
