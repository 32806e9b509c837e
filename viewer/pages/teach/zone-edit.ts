/** Edits of a toolpath's avoidance zones: add, remove, and the form fields of each. §2.7. Pure. */

import { limits } from '../../../contract/limits.ts';
import type { AvoidanceZone, Toolpath, Vector } from '../../../contract/types.generated.ts';
import {
  matrixToQuaternion,
  normaliseQuaternion,
  quaternionToMatrix,
} from '../../../physics/math/rotation.ts';
import {
  choiceFormField,
  type FormField,
  numberFormField,
  textFormField,
} from '../../ui/form-field.ts';
import { AXES } from '../../ui/units.ts';
import { poseFromValues, poseValues } from './pose-values.ts';

/** Edge length of a new zone (m). */
const NEW_M = 0.1;
/** Distance of a new zone's centre from the tool (m), so that the tool is not inside it. */
const ASIDE_M = 0.25;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };

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

type Set = (patch: Partial<AvoidanceZone>) => Toolpath;

/** Corner (mm) and rotations (°, about the base's axes). */
function placeFields({ position: p, orientation }: AvoidanceZone, set: Set) {
  const pose = new Float64Array(12);
  quaternionToMatrix(normaliseQuaternion(orientation) ?? UPRIGHT, pose);
  pose.set([p.x, p.y, p.z], 9);
  const values = poseValues(pose).map((value) => Number(value.toFixed(6)));
  const corner = AXES.map((axis, i) =>
    numberFormField({ label: `Corner ${axis}`, unit: 'mm', step: 10 }, values[i]!, (value) =>
      set({ position: { ...p, [axis]: Number((value / 1000).toPrecision(12)) } }),
    ),
  );
  const turns = AXES.map((axis, i) =>
    numberFormField({ label: `Turn ${axis}`, unit: '°', step: 5 }, values[3 + i]!, (value) =>
      set({ orientation: matrixToQuaternion(poseFromValues(values.with(3 + i, value))) }),
    ),
  );
  return { corner, turns };
}

/** Fields of the zone of that index; empty if there is none. */
export function zoneFields(toolpath: Toolpath, index: number): readonly FormField<Toolpath>[] {
  const zones = zonesOf(toolpath);
  const zone = zones[index];
  if (!zone) return [];
  const set: Set = (patch) =>
    withZones(
      toolpath,
      zones.map((one, i) => (i === index ? { ...one, ...patch } : one)),
    );
  const free = (name: string) =>
    name !== '' && zones.every((one, i) => i === index || one.name !== name);
  const { corner, turns } = placeFields(zone, set);
  const sizes = AXES.map((axis) =>
    numberFormField(
      { label: `Size ${axis}`, unit: 'mm', factor: 1000, step: 10, min: 1 },
      zone.dimensions[axis],
      (value) => set({ dimensions: { ...zone.dimensions, [axis]: value } }),
    ),
  );
  const kinds = [
    ['inside', 'Keep out'],
    ['outside', 'Keep inside'],
  ] as const;
  return [
    textFormField({ label: 'Name', maxLength: limits.name_max_characters }, zone.name, (name) =>
      free(name) ? set({ name }) : null,
    ),
    choiceFormField({ label: 'Rule', options: kinds }, zone.avoid, (avoid) =>
      set({ avoid: avoid === 'outside' ? 'outside' : 'inside' }),
    ),
    ...corner,
    ...sizes,
    ...turns,
  ];
}
