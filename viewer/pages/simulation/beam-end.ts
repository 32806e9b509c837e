/** Which end of a light barrier a pointer is near. Pure. */
import type { Cell, Vector } from '../../../contract/types.generated.ts';

/** Which end of a beam is meant; both without one. */
export type BeamEnd = 'from' | 'to';

/** A press nearer than this to an end of a beam moves that end alone (m), at most so much of it. */
const END_M = 0.04;
const END_SHARE = 1 / 3;

/** The end of a beam that a point is near; null in its middle, and for other parts. */
export function beamEnd(cell: Cell, name: string, at: Vector): BeamEnd | null {
  const beam = cell.sensors?.find((sensor) => sensor.name === name);
  if (beam?.kind !== 'beam') return null;
  const far = (a: Vector, b: Vector) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  const near = Math.min(END_M, END_SHARE * far(beam.from, beam.to));
  if (far(beam.from, at) < near) return 'from';
  return far(beam.to, at) < near ? 'to' : null;
}
