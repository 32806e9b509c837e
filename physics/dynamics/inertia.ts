/**
 * Inertia as the ten parameters in which the dynamics are linear: mass, first moment and inertia
 * about the joint frame's origin.
 */
import type { LinkMass } from '../arm/arm-model.ts';

/** mass; hx, hy, hz; Ixx, Iyy, Izz, Ixy, Ixz, Iyz (kg, kg m, kg m²). */
export const INERTIA_SIZE = 10;

/** Adds a body, given about its centre of mass, to the ten parameters at its joint frame. */
export function addBody(out: Float64Array, body: LinkMass): void {
  const [x, y, z] = body.com_m as [number, number, number];
  const [xx, yy, zz, xy, xz, yz] = body.inertia_kg_m2 as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const m = body.mass_kg;
  const added = [
    m,
    m * x,
    m * y,
    m * z,
    xx + m * (y * y + z * z),
    yy + m * (x * x + z * z),
    zz + m * (x * x + y * y),
    xy - m * x * y,
    xz - m * x * z,
    yz - m * y * z,
  ];
  for (let i = 0; i < INERTIA_SIZE; i++) out[i]! += added[i]!;
}
