import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedAxisRotation } from '../../physics/math/rotation.ts';
import {
  aboutAxis,
  acrossOf,
  alongAxis,
  axisOf,
  changedPose,
  dot,
  moved,
  type Ray,
  snapped,
  type Triple,
  turnBetween,
} from './gizmo-maths.ts';

const CENTRE: Triple = [0.3, -0.1, 0.4];
const EYE: Triple = [1.1, -1.3, 0.8];

function poseOf(rx: number, ry: number, rz: number): Float64Array {
  const pose = new Float64Array(12);
  fixedAxisRotation(rx, ry, rz, pose);
  pose.set(CENTRE, 9);
  return pose;
}

/** The ray of sight from the eye to a point. */
function sight(to: Triple): Ray {
  const way: Triple = [to[0] - EYE[0], to[1] - EYE[1], to[2] - EYE[2]];
  const length = Math.sqrt(dot(way, way));
  return { from: EYE, along: [way[0] / length, way[1] / length, way[2] / length] };
}

const angle = fc.double({ min: -3, max: 3, noNaN: true });

describe('a ray of sight', () => {
  it('finds the point of an axis that it looks at', () => {
    fc.assert(
      fc.property(fc.tuple(angle, angle, angle), fc.nat(2), ([rx, ry, amount], i) => {
        const axis = axisOf(poseOf(rx, ry, 0), i, 'tool');
        const found = alongAxis(sight(moved(CENTRE, axis, amount / 10)), CENTRE, axis);
        if (found !== null) expect(found).toBeCloseTo(amount / 10, 6);
      }),
    );
  });

  it('finds no point on an axis that it looks along', () => {
    const { along } = sight(CENTRE);
    expect(alongAxis(sight(CENTRE), CENTRE, along)).toBeNull();
  });

  it('finds the angle on a ring that it looks at', () => {
    fc.assert(
      fc.property(fc.tuple(angle, angle, angle), fc.nat(2), ([rx, ry, about], i) => {
        const axis = axisOf(poseOf(rx, ry, 0.2), i, 'tool');
        const [u, v] = acrossOf(axis);
        const rim = moved(moved(CENTRE, u, 0.1 * Math.cos(about)), v, 0.1 * Math.sin(about));
        const found = aboutAxis(sight(rim), CENTRE, axis);
        if (found !== null) expect(turnBetween(found, about)).toBeCloseTo(0, 6);
      }),
    );
  });

  it('finds no angle on a ring seen from its edge', () => {
    const [edge] = acrossOf(sight(CENTRE).along);
    expect(aboutAxis(sight(CENTRE), CENTRE, edge)).toBeNull();
  });
});

it('counts turns the short way round', () => {
  expect(turnBetween(3.1, -3.1)).toBeCloseTo(2 * Math.PI - 6.2);
  expect(turnBetween(-3.1, 3.1)).toBeCloseTo(6.2 - 2 * Math.PI);
});

it.each([
  ['move', 0.01249, 0.012],
  ['move', -0.0006, -0.001],
  ['turn', 0.05, (3 * Math.PI) / 180],
] as const)('snaps a %s of %d to %d', (kind, amount, wanted) => {
  expect(snapped(kind, amount)).toBeCloseTo(wanted, 12);
});

describe('a changed pose', () => {
  it('moves along the axes of base or tool and keeps its direction', () => {
    const pose = poseOf(0.3, -0.4, 1);
    const along = axisOf(pose, 2, 'tool');
    const next = changedPose(pose, { kind: 'move', along, amount: 0.02 });
    expect(Array.from(next.subarray(0, 9))).toEqual(Array.from(pose.subarray(0, 9)));
    const way: Triple = [next[9]! - CENTRE[0], next[10]! - CENTRE[1], next[11]! - CENTRE[2]];
    expect(dot(way, along)).toBeCloseTo(0.02, 12);
    expect(axisOf(pose, 1, 'base')).toEqual([0, 1, 0]);
  });

  it('turns about an axis of the base as fixed-axis angles say, the tool point still', () => {
    const next = changedPose(poseOf(0, 0, 0), { kind: 'turn', along: [0, 0, 1], amount: 0.7 });
    const wanted = poseOf(0, 0, 0.7);
    for (const [i, value] of wanted.entries()) expect(next[i]).toBeCloseTo(value, 12);
  });

  it('keeps the axis that it turns about', () => {
    const pose = poseOf(0.3, -0.4, 1);
    const along = axisOf(pose, 0, 'tool');
    const next = changedPose(pose, { kind: 'turn', along, amount: 1.1 });
    expect(dot(axisOf(next, 0, 'tool'), along)).toBeCloseTo(1, 12);
    expect(dot(axisOf(next, 1, 'tool'), axisOf(pose, 1, 'tool'))).toBeCloseTo(Math.cos(1.1), 12);
  });
});
