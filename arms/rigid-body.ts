/** Which tensors are inertias of rigid bodies. */

/** Share of an inertia by which rounding of a source may break the rules of rigid bodies. */
const INERTIA_ALLOWANCE = 0.02;

/** Principal minors of an inertia tensor: all are positive for a rigid body. */
function minorsOf([xx, yy, zz, xy, xz, yz]: readonly number[]): number[] {
  const [a, b, c, d, e, f] = [xx!, yy!, zz!, xy!, xz!, yz!];
  return [a, a * b - d * d, a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)];
}

export const isPositiveDefinite = (inertia_kg_m2: readonly number[]): boolean =>
  minorsOf(inertia_kg_m2).every((minor) => minor > 0);

/**
 * Why Ixx, Iyy, Izz, Ixy, Ixz, Iyz (kg m², tensor elements about the centre of mass) belong to no
 * rigid body, as the end of a sentence about one; null where they can.
 */
export function rigidBodyProblem(inertia_kg_m2: readonly number[]): string | null {
  if (!isPositiveDefinite(inertia_kg_m2)) return 'has an inertia that is not positive definite';
  const [xx, yy, zz] = inertia_kg_m2 as [number, number, number];
  const greatest = Math.max(xx, yy, zz);
  const rest = xx + yy + zz - greatest;
  if (greatest <= rest * (1 + INERTIA_ALLOWANCE)) return null;
  return 'has an inertia that no body has: its greatest moment exceeds the other two together';
}
