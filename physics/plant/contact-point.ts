/** Contact of a body of the arm with an obstacle or the floor in the last step. */
export interface ContactPoint {
  /** Force (N); 0 without contact. */
  force_n: number;
  /** Where the force acts (world, m). */
  readonly point_m: Float64Array;
  /** Direction of the force on the arm (world, unit vector). */
  readonly normal: Float64Array;
}

/** Creates contact points without contact. */
export function createContacts(count: number): ContactPoint[] {
  return Array.from({ length: count }, () => ({
    force_n: 0,
    point_m: new Float64Array(3),
    normal: new Float64Array(3),
  }));
}
