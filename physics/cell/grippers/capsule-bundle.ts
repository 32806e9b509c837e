/**
 * Capsules as they are collected in the flange frame, and solids filled with them. The capsules
 * lie inside of the solids and reach their faces.
 */

import { compileBox } from '../../collision/boxes.ts';
import { type CapsuleBody, flangeBody } from '../../collision/capsule-body.ts';
import { cos, PI, sin } from '../../math/portable.ts';
import { compose, SOLID_POSE } from '../pose.ts';
import type { Solid } from '../solids/solids.ts';

const FILL_RADIUS_M = 0.005;
/** Greatest distance between two capsules in a held body (m; own). */
const FILL_SPACING_M = 0.02;

/** Capsules as they are collected: ends (flange frame) and radii. */
export interface Bundle {
  readonly ends: number[];
  readonly radii: number[];
}

const placed = new Float64Array(SOLID_POSE);
const spot = new Float64Array(SOLID_POSE);
spot[3] = 1;

export function addPoint(
  frame: Float64Array,
  x: number,
  y: number,
  z: number,
  out: number[],
): void {
  spot[0] = x;
  spot[1] = y;
  spot[2] = z;
  compose(frame, 0, spot, 0, placed);
  out.push(placed[0]!, placed[1]!, placed[2]!);
}

/** Coordinates from -half to half, inset by the radius, at most the spacing apart. */
function rows(half: number, radius: number): number[] {
  const inner = half - radius;
  if (inner < 1e-6) return [0];
  const count = Math.max(1, Math.ceil((2 * inner) / FILL_SPACING_M));
  return Array.from({ length: count + 1 }, (_, i) => -inner + (2 * inner * i) / count);
}

/** Capsules along the longest axis of a box, over its cross-section. */
function fillBox(half: ArrayLike<number>, frame: Float64Array, { ends, radii }: Bundle): void {
  const longest = [0, 1, 2].reduce((best, k) => (half[k]! > half[best]! ? k : best), 0);
  const [b, c] = [(longest + 1) % 3, (longest + 2) % 3];
  const radius = Math.min(FILL_RADIUS_M, half[0]!, half[1]!, half[2]!);
  const reach = half[longest]! - radius;
  for (const u of rows(half[b]!, radius)) {
    for (const v of rows(half[c]!, radius)) {
      for (const along of [-reach, reach]) {
        const point = [0, 0, 0];
        point[longest] = along;
        point[b] = u;
        point[c] = v;
        addPoint(frame, point[0]!, point[1]!, point[2]!, ends);
      }
      radii.push(radius);
    }
  }
}

/** Capsules along the axis of a cylinder: one in the middle, a ring at its side. */
function fillCylinder(half: ArrayLike<number>, frame: Float64Array, bundle: Bundle): void {
  const radius = Math.min(FILL_RADIUS_M, half[0]!, half[2]!);
  const ring = half[0]! - radius;
  const count = ring < 1e-6 ? 0 : Math.max(6, Math.ceil((2 * PI * ring) / FILL_SPACING_M));
  const reach = half[2]! - radius;
  const add = (x: number, y: number) => {
    for (const along of [-reach, reach]) addPoint(frame, x, y, along, bundle.ends);
    bundle.radii.push(radius);
  };
  add(0, 0);
  for (let i = 0; i < count; i++) {
    const angle = (2 * PI * i) / count;
    add(ring * cos(angle), ring * sin(angle));
  }
}

/** What solids are filled with: capsules of round ones, and boxes with capsules that fill them. */
export interface Filling {
  readonly round: Bundle;
  readonly filled: Bundle;
  readonly boxes: Float64Array[];
}

export function emptyFilling(): Filling {
  return { round: { ends: [], radii: [] }, filled: { ends: [], radii: [] }, boxes: [] };
}

export function fill(solid: Solid, frame: Float64Array, { round, filled, boxes }: Filling): void {
  if (solid.isRound) {
    fillCylinder(solid.half, frame, round);
    return;
  }
  fillBox(solid.half, frame, filled);
  const [x, y, z, w, i, j, k] = frame;
  const [a, b, c] = [solid.half[0]!, solid.half[1]!, solid.half[2]!];
  const orientation = { w: w!, x: i!, y: j!, z: k! };
  const centre = { x: x!, y: y!, z: z! };
  boxes.push(compileBox({ centre, half: { x: a, y: b, z: c }, orientation }));
}

export function bodyOf({ ends, radii }: Bundle): CapsuleBody | null {
  return radii.length === 0 ? null : flangeBody(ends, radii);
}

/** The body of filled solids; null where there are none. */
export function filledBody({ round, filled, boxes }: Filling): CapsuleBody | null {
  const radii = [...round.radii, ...filled.radii];
  if (radii.length === 0) return null;
  return flangeBody([...round.ends, ...filled.ends], radii, boxes, round.radii.length);
}
