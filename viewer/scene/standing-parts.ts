import { type BufferGeometry, Mesh, type MeshStandardMaterial } from 'three';
import type { DrawnBelt } from './cell-belts.ts';
import type { DrawnSensor } from './cell-sensors.ts';
import { mergeGeometries } from './merge-geometries.ts';
import { shadowed } from './shadowed.ts';

/** Draws what does not move of sensors and belts in one call per material. */
export function drawStanding(
  sensors: readonly DrawnSensor[],
  belts: readonly DrawnBelt[],
  materials: { readonly frame: MeshStandardMaterial; readonly rail: MeshStandardMaterial },
): Mesh[] {
  const frames = [...sensors.flatMap(({ housings }) => housings), ...belts.map(({ body }) => body)];
  const rails = belts.map((belt) => belt.rails);
  const draw = (parts: readonly BufferGeometry[], material: MeshStandardMaterial) => {
    if (parts.length === 0) return [];
    const mesh = shadowed(new Mesh(mergeGeometries(parts), material));
    for (const part of parts) part.dispose();
    return [mesh];
  };
  return [...draw(frames, materials.frame), ...draw(rails, materials.rail)];
}
