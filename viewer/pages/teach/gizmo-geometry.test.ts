import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedAxisRotation } from '../../../physics/math/rotation.ts';
import {
  aboutAxis,
  alongAxis,
  axisOf,
  dot,
  movedPose,
  perpendicularsOf,
  type Ray,
  translated,
  turnBetween,
  turnedPose,
  type Vec3,
} from './gizmo-geometry.ts';

const CENTRE: Vec3 = [0.3, -0.1, 0.4];
const EYE: Vec3 = [1.1, -1.3, 0.8];

function poseOf(rx: number, ry: number, rz: number): Float64Array {
  const pose = new Float64Array(12);
  fixedAxisRotation(rx, ry, rz, pose);
  pose.set(CENTRE, 9);
  return pose;
}

/** The view ray from the eye to a point. */
function sight(to: Vec3): Ray {
  const path: Vec3 = [to[0] - EYE[0], to[1] - EYE[1], to[2] - EYE[2]];
  const length = Math.sqrt(dot(path, path));
  return { from: EYE, along: [path[0] / length, path[1] / length, path[2] / length] };
}

const angle = fc.double({ min: -3, max: 3, noNaN: true });

describe('a view ray', () => {
  it('finds the point on an axis that it points at', () => {
    fc.assert(
      fc.property(fc.tuple(angle, angle, angle), fc.nat(2), ([rx, ry, amount], i) => {
        const axis = axisOf(poseOf(rx, ry, 0), i, 'tool');
        const found = alongAxis(sight(translated(CENTRE, axis, amount / 10)), CENTRE, axis);
        if (found !== null) expect(found).toBeCloseTo(amount / 10, 6);
      }),
    );
  });

  it('finds no point on a parallel axis', () => {
    const { along } = sight(CENTRE);
    expect(alongAxis(sight(CENTRE), CENTRE, along)).toBeNull();
  });

  it('finds the angle on a ring that it points at', () => {
    fc.assert(
      fc.property(fc.tuple(angle, angle, angle), fc.nat(2), ([rx, ry, about], i) => {
        const axis = axisOf(poseOf(rx, ry, 0.2), i, 'tool');
        const [u, v] = perpendicularsOf(axis);
        const rim = translated(
          translated(CENTRE, u, 0.1 * Math.cos(about)),
          v,
          0.1 * Math.sin(about),
        );
        const found = aboutAxis(sight(rim), CENTRE, axis);
        if (found !== null) expect(turnBetween(found, about)).toBeCloseTo(0, 6);
      }),
    );
  });

  it('finds no angle on a ring seen edge-on', () => {
    const [edge] = perpendicularsOf(sight(CENTRE).along);
    expect(aboutAxis(sight(CENTRE), CENTRE, edge)).toBeNull();
  });
});

it('measures turns in the shorter direction', () => {
  expect(turnBetween(3.1, -3.1)).toBeCloseTo(2 * Math.PI - 6.2);
  expect(turnBetween(-3.1, 3.1)).toBeCloseTo(6.2 - 2 * Math.PI);
});

describe('a changed pose', () => {
  it('translates along the axes of base or tool and keeps the orientation', () => {
    const pose = poseOf(0.3, -0.4, 1);
    const along = axisOf(pose, 2, 'tool');
    const next = movedPose(pose, along, 0.02);
    expect(Array.from(next.subarray(0, 9))).toEqual(Array.from(pose.subarray(0, 9)));
    const path: Vec3 = [next[9]! - CENTRE[0], next[10]! - CENTRE[1], next[11]! - CENTRE[2]];
    expect(dot(path, along)).toBeCloseTo(0.02, 12);
    expect(axisOf(pose, 1, 'base')).toEqual([0, 1, 0]);
  });

  it('rotates about a base axis by fixed-axis angles, with the tool point fixed', () => {
    const next = turnedPose(poseOf(0, 0, 0), [0, 0, 1], 0.7);
    const wanted = poseOf(0, 0, 0.7);
    for (const [i, value] of wanted.entries()) expect(next[i]).toBeCloseTo(value, 12);
  });

  it('keeps the rotation axis fixed', () => {
    const pose = poseOf(0.3, -0.4, 1);
    const along = axisOf(pose, 0, 'tool');
    const next = turnedPose(pose, along, 1.1);
    expect(dot(axisOf(next, 0, 'tool'), along)).toBeCloseTo(1, 12);
    expect(dot(axisOf(next, 1, 'tool'), axisOf(pose, 1, 'tool'))).toBeCloseTo(Math.cos(1.1), 12);
  });
});
