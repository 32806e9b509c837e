/** Edits of a toolpath's avoidance zones. §2.7. Pure. */

import { limits } from '../../../contract/limits.ts';
import type { AvoidanceZone, Toolpath, Vector } from '../../../contract/types.generated.ts';

/** Edge length of a new zone (m). */
const NEW_M = 0.1;
/** Distance of a new zone's centre from the tool (m), so that the tool is not inside it. */
const ASIDE_M = 0.25;
/** The orientation of a zone that is not turned. */
export const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };

/** The zones of a toolpath. */
export function zonesOf(toolpath: Toolpath): readonly AvoidanceZone[] {
  return toolpath.metadata.avoidance_zones ?? [];
}

function withZones(toolpath: Toolpath, zones: readonly AvoidanceZone[]): Toolpath {
  const { avoidance_zones: _, ...bare } = toolpath.metadata;
  const metadata = zones.length === 0 ? bare : { ...bare, avoidance_zones: [...zones] };
  return { ...toolpath, metadata };
}

/**
 * Corner (m, whole mm) of a new zone farther from the base than the tool, on or above the ground.
 */
function cornerBeside({ x, y, z }: Vector): Vector {
  const out = Math.hypot(x, y);
  const [along, across] = out > 0 ? [x / out, y / out] : [1, 0];
  const whole = (value: number) => Math.round(value * 1000) / 1000;
  return {
    x: whole(x + along * ASIDE_M - NEW_M / 2),
    y: whole(y + across * ASIDE_M - NEW_M / 2),
    z: whole(Math.max(z - NEW_M / 2, 0)),
  };
}

/** The toolpath with one more zone beside the tool tip (m); unchanged at the limit of zones. */
export function addZone(toolpath: Toolpath, tip: Vector): Toolpath {
  const zones = zonesOf(toolpath);
  if (zones.length >= limits.avoidance_zones) return toolpath;
  const taken = new Set(zones.map(({ name }) => name));
  const names = Array.from({ length: zones.length + 1 }, (_, i) => `Zone ${i + 1}`);
  const added: AvoidanceZone = {
    name: names.find((name) => !taken.has(name))!,
    position: cornerBeside(tip),
    orientation: UPRIGHT,
    dimensions: { x: NEW_M, y: NEW_M, z: NEW_M },
    avoid: 'inside',
  };
  return withZones(toolpath, [...zones, added]);
}

/** The toolpath without the zone of that index. */
export function removeZone(toolpath: Toolpath, index: number): Toolpath {
  return withZones(
    toolpath,
    zonesOf(toolpath).filter((_, i) => i !== index),
  );
}

/** The toolpath with another zone in the place of the one of that index. */
export function replaceZone(toolpath: Toolpath, index: number, zone: AvoidanceZone): Toolpath {
  return withZones(toolpath, zonesOf(toolpath).with(index, zone));
}
