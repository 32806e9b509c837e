import { describe, expect, it } from 'vitest';
import type { AvoidanceZone } from '../../contract/types.generated.ts';
import { CAPSULE_LINK } from '../arm/geometry.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { segmentsSquared } from './distance.ts';
import { checkPose, clearance } from './pose-check.ts';
import {
  type CollisionScene,
  createCollisionScene,
  placeBodies,
  type SceneOptions,
} from './scene.ts';

const upright = { w: 1, x: 0, y: 0, z: 0 };

/** A zone from its centre and half sizes. */
function zone(avoid: 'inside' | 'outside', centre: number[], half: number[]): AvoidanceZone {
  const [x, y, z] = centre as [number, number, number];
  const [a, b, c] = half as [number, number, number];
  const position = { x: x - a, y: y - b, z: z - c };
  return {
    name: 'cell',
    position,
    orientation: upright,
    dimensions: { x: 2 * a, y: 2 * b, z: 2 * c },
    avoid,
  };
}

const narrowTool = { offsets: { x: 0, y: 0, z: 0.1 }, radius: 0.03 };
const wideTool = { offsets: { x: 0, y: 0, z: 0.1 }, radius: 0.07 };
const keepOut = zone('inside', [0.45, 0, 0.05], [0.25, 0.3, 0.05]);
const keepIn = zone('outside', [0, 0, 0.5], [0.45, 0.45, 0.5]);

/** Joints in degrees but for the moving one (NaN), which is given in radians. */
function joints(pattern: readonly number[], moving_rad: number): number[] {
  return pattern.map((value) => (Number.isNaN(value) ? moving_rad : (value * Math.PI) / 180));
}

function framesOf(q: readonly number[]): Float64Array {
  const frames = createFrames();
  forward(q, frames);
  return frames;
}

/** Least distance of the capsules of two links. */
function pairDistance(scene: CollisionScene, q: readonly number[], a: number, b: number): number {
  placeBodies(scene, framesOf(q));
  let least = Number.POSITIVE_INFINITY;
  CAPSULE_LINK.forEach((linkA, i) => {
    CAPSULE_LINK.forEach((linkB, j) => {
      if (linkA !== a || linkB !== b) return;
      const apart = Math.sqrt(segmentsSquared(scene.ends, 6 * i, scene.ends, 6 * j));
      least = Math.min(least, apart - scene.radius_m[i]! - scene.radius_m[j]!);
    });
  });
  return least;
}

const X = Number.NaN;
const degrees160 = -160;
const cases: [string, number[], number, number, SceneOptions, string, string, string][] = [
  ['0-5', [0, -60, X, 50, -150, 0], -2.495255, -2.487885, {}, 'self_collision', 'base', 'link 5'],
  ['0-6', [0, -40, X, 0, -55, 0], -2.682437, -2.676859, {}, 'self_collision', 'base', 'link 6'],
  [
    '1-5',
    [-125, 35, X, 155, 10, 0],
    -2.748523,
    -2.738254,
    {},
    'self_collision',
    'link 1',
    'link 5',
  ],
  [
    '1-6',
    [-155, -5, X, -20, -145, 0],
    -2.664785,
    -2.654612,
    {},
    'self_collision',
    'link 1',
    'link 6',
  ],
  [
    '2-5',
    [-140, 70, X, -150, 10, 0],
    -2.750401,
    -2.740367,
    {},
    'self_collision',
    'link 2',
    'link 5',
  ],
  [
    '2-6',
    [130, 45, X, 20, -145, 0],
    -2.659122,
    -2.648534,
    {},
    'self_collision',
    'link 2',
    'link 6',
  ],
  [
    'plane, L6',
    [0, X, -60, 0, -60, 0],
    -1.397534,
    -1.393247,
    {},
    'plane_collision',
    'link 6',
    'ground',
  ],
  [
    'plane, tool',
    [0, X, -60, 0, -60, 0],
    -1.214993,
    -1.211092,
    { tool: narrowTool },
    'plane_collision',
    'tool',
    'ground',
  ],
  [
    'plane, L5a',
    [0, X, 0, 0, 0, 0],
    -2.180206,
    -2.175668,
    {},
    'plane_collision',
    'link 5',
    'ground',
  ],
  [
    'tool, link 4',
    [0, -20, -60, 0, X, 0],
    -2.567046,
    -2.544655,
    { tool: wideTool },
    'self_collision',
    'link 4',
    'tool',
  ],
  [
    'keep-out',
    [0, X, -60, 0, -60, 0],
    -1.192565,
    -1.188618,
    { zones: [keepOut] },
    'object_collision',
    'link 6',
    'cell',
  ],
  [
    'keep-in',
    [0, X, (-1.7453 * 180) / Math.PI, 0, (-1.9199 * 180) / Math.PI, 0],
    0.05486,
    0.064132,
    { zones: [keepIn] },
    'object_collision',
    'link 5',
    'cell',
  ],
];

describe('the test poses of the collision model', () => {
  it.each(cases)(
    '%s: hit at distance 0, free at 2 mm',
    (_, pattern, hit, free, options, code, a, b) => {
      const scene = createCollisionScene(options);
      const found = checkPose(scene, framesOf(joints(pattern, hit)));
      expect(found).toMatchObject({ code, b });
      expect(found?.a).toBe(a);
      expect(Math.abs(found!.distance_m)).toBeLessThan(3e-6);
      expect(checkPose(scene, framesOf(joints(pattern, free)))).toBeNull();
      expect(Math.abs(clearance(scene, framesOf(joints(pattern, free))) - 0.002)).toBeLessThan(
        3e-6,
      );
    },
  );
  it.each([
    [0, 3, [0, -155, X, 0, 0, 0], -1.182232, -1.149419],
    [0, 4, [0, -150, X, 0, -40, 0], -1.037749, -1.02595],
    [1, 4, [0, X, degrees160, 0, 0, 0], -1.000336, -0.984324],
  ] as [number, number, number[], number, number][])(
    'pair %i-%i alone',
    (a, b, pattern, hit, free) => {
      const scene = createCollisionScene();
      expect(Math.abs(pairDistance(scene, joints(pattern, hit), a, b))).toBeLessThan(3e-6);
      expect(Math.abs(pairDistance(scene, joints(pattern, free), a, b) - 0.002)).toBeLessThan(3e-6);
    },
  );
});

describe('free poses', () => {
  const scene = createCollisionScene();
  it('upright has a self clearance of 187 mm', () => {
    expect(checkPose(scene, framesOf([0, 0, 0, 0, 0, 0]))).toBeNull();
    expect(clearance(scene, framesOf([0, 0, 0, 0, 0, 0]))).toBeCloseTo(0.187, 3);
  });
  it.each([
    [0, -179, 179],
    [2, -160, 45],
    [3, -179, 179],
    [4, -155, 10],
    [5, -179, 179],
  ])('joint %i alone sweeps its whole range', (joint, low, high) => {
    for (let degrees = low; degrees <= high; degrees++) {
      const q = [0, 0, 0, 0, 0, 0];
      q[joint] = (degrees * Math.PI) / 180;
      expect(checkPose(scene, framesOf(q))).toBeNull();
    }
  });
  it('leaning forward collides with the ground from -124.8 degrees', () => {
    expect(checkPose(scene, framesOf(joints([0, -124.4, 0, 0, 0, 0], 0)))).toBeNull();
    expect(checkPose(scene, framesOf(joints([0, -125, 0, 0, 0, 0], 0)))?.code).toBe(
      'plane_collision',
    );
  });
});

describe('the tool', () => {
  it('has no body below a micrometre of length', () => {
    const scene = createCollisionScene({ tool: { offsets: { x: 0, y: 0, z: 9e-7 }, radius: 5 } });
    expect(checkPose(scene, framesOf([0, 0, 0, 0, 0, 0]))).toBeNull();
  });
  it('is 70 mm from link 4 when upright', () => {
    const scene = createCollisionScene({ tool: narrowTool });
    expect(clearance(scene, framesOf([0, 0, 0, 0, 0, 0]))).toBeCloseTo(0.07, 3);
  });
  it('ends flat: a box just past the tip does not collide', () => {
    const over = (gap: number) =>
      createCollisionScene({
        tool: narrowTool,
        zones: [zone('inside', [-0.065, 0, 0.9784 + 0.05 + gap], [0.05, 0.05, 0.05])],
      });
    expect(checkPose(over(0.0015), framesOf([0, 0, 0, 0, 0, 0]))).toBeNull();
    expect(checkPose(over(0.0005), framesOf([0, 0, 0, 0, 0, 0]))).toMatchObject({
      code: 'object_collision',
      a: 'tool',
    });
  });
});

describe('zones', () => {
  it('exempt the base from keep-out boxes and nothing else', () => {
    const foot = createCollisionScene({ zones: [zone('inside', [0, 0, 0.02], [0.1, 0.1, 0.02])] });
    expect(checkPose(foot, framesOf([0, 0, 0, 0, 0, 0]))).toBeNull();
    const first = createCollisionScene({ zones: [zone('inside', [0, 0, 0.17], [0.1, 0.1, 0.02])] });
    expect(checkPose(first, framesOf([0, 0, 0, 0, 0, 0]))).toMatchObject({ a: 'link 1' });
  });
  it('allow links below 3 outside a keep-in box', () => {
    const high = createCollisionScene({ zones: [zone('outside', [0, 0, 0.75], [0.4, 0.4, 0.33])] });
    expect(checkPose(high, framesOf([0, 0, 0, 0, 0, 0]))).toBeNull();
    const higher = createCollisionScene({
      zones: [zone('outside', [0, 0, 0.8], [0.4, 0.4, 0.31])],
    });
    expect(checkPose(higher, framesOf([0, 0, 0, 0, 0, 0]))).toMatchObject({ a: 'link 3' });
  });
  it('rotate about the position, which is a corner of the box', () => {
    const half = Math.SQRT1_2;
    const turned: AvoidanceZone = {
      name: 'turned',
      position: { x: 0, y: 0, z: 0.5 },
      orientation: { w: half, x: 0, y: 0, z: half },
      dimensions: { x: 0.4, y: 0.4, z: 0.4 },
      avoid: 'inside',
    };
    const away = { ...turned, position: { x: -0.2, y: 0, z: 0.5 } };
    expect(
      checkPose(createCollisionScene({ zones: [turned] }), framesOf([0, 0, 0, 0, 0, 0])),
    ).not.toBeNull();
    expect(
      checkPose(createCollisionScene({ zones: [away] }), framesOf([0, 0, 0, 0, 0, 0])),
    ).toBeNull();
  });
});
