import { Capsule, init, type Vector } from '@dimforge/rapier3d-compat';
import { beforeAll, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { segmentsSquared } from './distance.ts';
import { type CollisionScene, createCollisionScene, placeBodies } from './scene.ts';

/** Rapier over-reports capsule distances by up to 12 mm; outside this band it must agree. */
const BAND_M = 0.015;
const POSES = 300;

beforeAll(async () => {
  await init();
});

/** Centre, half length and the rotation that takes y to the axis of a body. */
function capsuleOf(scene: CollisionScene, i: number) {
  const e = scene.ends.subarray(6 * i, 6 * i + 6);
  const d = [e[3]! - e[0]!, e[4]! - e[1]!, e[5]! - e[2]!] as const;
  const length = Math.hypot(...d);
  const w = 1 + d[1] / length;
  const size = Math.hypot(w, d[2] / length, d[0] / length);
  const centre: Vector = {
    x: (e[0]! + e[3]!) / 2,
    y: (e[1]! + e[4]!) / 2,
    z: (e[2]! + e[5]!) / 2,
  };
  const rotation = { w: w / size, x: d[2] / length / size, y: 0, z: -d[0] / length / size };
  return { shape: new Capsule(length / 2, scene.radius_m[i]!), centre, rotation };
}

it('agrees with another engine on which capsules overlap, outside its band', () => {
  const scene = createCollisionScene();
  const frames = createFrames();
  let seed = 3;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    return (seed >>> 0) / 4294967296;
  };
  let apart = 0;
  let overlapping = 0;
  for (let n = 0; n < POSES; n++) {
    forward(
      JOINT_MIN_RAD.map((low, j) => low + random() * (JOINT_MAX_RAD[j]! - low)),
      frames,
    );
    placeBodies(scene, frames);
    for (let p = 0; p < scene.pairs.length; p += 2) {
      const [i, j] = [scene.pairs[p]!, scene.pairs[p + 1]!];
      const ours =
        Math.sqrt(segmentsSquared(scene.ends, 6 * i, scene.ends, 6 * j)) -
        scene.radius_m[i]! -
        scene.radius_m[j]!;
      if (Math.abs(ours) < BAND_M) continue;
      const a = capsuleOf(scene, i);
      const b = capsuleOf(scene, j);
      const contact = a.shape.contactShape(a.centre, a.rotation, b.shape, b.centre, b.rotation, 0);
      const theirs = contact !== null && contact.distance < 0;
      expect(theirs, `pose ${n}, bodies ${i} and ${j}, ours ${ours}`).toBe(ours < 0);
      if (ours < 0) overlapping++;
      else apart++;
    }
  }
  expect(apart).toBeGreaterThan(1000);
  expect(overlapping).toBeGreaterThan(30);
});
