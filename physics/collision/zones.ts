/**
 * Avoidance zones of the wire format (corner, orientation, dimensions) as boxes. Schema and
 * toolpath check reject negative dimensions before anything is compiled. §2.7; D25.
 */

import type { AvoidanceZone } from '../../contract/types.generated.ts';
import { assert } from '../math/assert.ts';
import { normaliseQuaternion, quaternionToMatrix } from '../math/rotation.ts';
import { BOX_SIZE, type Boxes, type CentredBox, writeBox } from './boxes.ts';

/** Compiled zones: keep-out boxes, and keep-in boxes that the arm must not leave. */
export interface CompiledZones {
  readonly keepOut: Boxes;
  readonly keepIn: Boxes;
}

/** Centre and half sizes of a zone; its position is a corner that rotates with the box. */
function centreZone(zone: AvoidanceZone): CentredBox {
  const unit = normaliseQuaternion(zone.orientation);
  assert(unit, 'zone orientation must not be zero');
  const r = new Float64Array(9);
  quaternionToMatrix(unit, r);
  const half = {
    x: zone.dimensions.x / 2,
    y: zone.dimensions.y / 2,
    z: zone.dimensions.z / 2,
  };
  const centre = {
    x: zone.position.x + r[0]! * half.x + r[1]! * half.y + r[2]! * half.z,
    y: zone.position.y + r[3]! * half.x + r[4]! * half.y + r[5]! * half.z,
    z: zone.position.z + r[6]! * half.x + r[7]! * half.y + r[8]! * half.z,
  };
  return { centre, half, orientation: unit };
}

function compile(zones: readonly AvoidanceZone[]): Boxes {
  const data = new Float64Array(BOX_SIZE * zones.length);
  zones.forEach((zone, i) => {
    writeBox(centreZone(zone), data, i * BOX_SIZE);
  });
  return { count: zones.length, data, names: zones.map((zone) => zone.name) };
}

/** Compiles zones of the wire format; asserts that no orientation is zero. */
export function compileZones(zones: readonly AvoidanceZone[]): CompiledZones {
  return {
    keepOut: compile(zones.filter((zone) => zone.avoid === 'inside')),
    keepIn: compile(zones.filter((zone) => zone.avoid === 'outside')),
  };
}
