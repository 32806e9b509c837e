import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../physics/arm/arm-model.ts';
import { checkPose, clearance } from '../../physics/collision/pose-check.ts';
import { createCollisionScene } from '../../physics/collision/scene.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { createProximity } from './proximity.ts';

const upright = { w: 1, x: 0, y: 0, z: 0 };
const TOOL = { offsets: { x: 0, y: 0.02, z: 0.12 }, radius: 0.02 };
const zone = (avoid: 'inside' | 'outside', at: number, size: number) => ({
  name: avoid,
  position: { x: at, y: at, z: at },
  orientation: upright,
  dimensions: { x: size, y: size, z: size },
  avoid,
});
const OPTIONS = { tool: TOOL, zones: [zone('inside', 0.35, 0.2), zone('outside', -0.8, 1.6)] };
const poses = fc.tuple(
  ...Array.from({ length: 6 }, (_, j) =>
    fc.double({ min: JOINT_MIN_RAD[j]!, max: JOINT_MAX_RAD[j]!, noNaN: true }),
  ),
);
const framesAt = (joints: readonly number[]) => {
  const frames = createFrames();
  forward(joints, frames);
  return frames;
};
const obstacle = (x: number, z: number, half_m: number) => ({
  id: 7,
  name: 'crate',
  orientation: upright,
  stiffness_n_per_m: 25_000,
  position: { x, y: 0, z },
  half: { x: half_m, y: half_m, z: half_m },
});

describe('proximity of the arm', () => {
  it('equals the clearance of the check at any pose', () => {
    const proximity = createProximity(OPTIONS, []);
    const scene = createCollisionScene(OPTIONS);
    fc.assert(
      fc.property(poses, (joints) => {
        const [own] = proximity.at(joints);
        expect(own!.distance_m).toBe(clearance(scene, framesAt(joints)));
        expect(own!.colliding).toBe(checkPose(scene, framesAt(joints)) !== null);
      }),
      { numRuns: 100 },
    );
  });

  it('has closest points at the reported distance, except for the tool at a box', () => {
    const proximity = createProximity(OPTIONS, []);
    fc.assert(
      fc.property(poses, (joints) => {
        const own = proximity.at(joints)[0]!;
        const toolAtBox = own.bodies[0] === 12 && own.other === 'inside';
        if (own.distance_m < 0 || toolAtBox) return;
        const { from_m, to_m } = own.points;
        const gap = Math.hypot(...from_m.map((value, k) => value - to_m[k]!));
        expect(gap).toBeCloseTo(own.distance_m, 6);
      }),
      { numRuns: 150 },
    );
  });
});

describe('proximity of an obstacle', () => {
  const joints = [0, 0, 0, 0, 0, 0];

  it('names the link and both points without contact', () => {
    const [, near] = createProximity({}, [obstacle(0.5, 0.5, 0.05)]).at(joints);
    expect(near).toMatchObject({ other: 'crate', obstacle_id: 7, colliding: false });
    const { from_m, to_m } = near!.points;
    expect(Math.hypot(...from_m.map((v, k) => v - to_m[k]!))).toBeCloseTo(near!.distance_m, 9);
    expect(to_m[0]).toBeGreaterThanOrEqual(0.45 - 1e-9);
  });

  it('collides where the arm penetrates it, and names the bodies of one link', () => {
    const [own, hit] = createProximity({}, [obstacle(0, 0.45, 0.1)]).at(joints);
    expect(own!.colliding).toBe(false);
    expect(hit!.colliding).toBe(true);
    expect(hit!.distance_m).toBeLessThan(0);
    expect(hit!.bodies.length).toBeGreaterThan(0);
  });
});
