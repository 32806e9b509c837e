/** Geometry whose vertices carry a shade, so that one material draws light and dark parts. */
import { type BufferGeometry, Float32BufferAttribute } from 'three';
import { mergeGeometries } from './merge-geometries.ts';

/** A merged part and the shade of its material: 1 is the plain colour. */
export interface Shaded {
  readonly geometry: BufferGeometry;
  readonly shade: number;
}

/** Merges parts; vertex colours carry their shades. */
export function shaded(parts: readonly Shaded[]): BufferGeometry {
  const merged = mergeGeometries(parts.map(({ geometry }) => geometry));
  const shades = parts.flatMap(({ geometry, shade }) =>
    new Array<number>(3 * geometry.getAttribute('position').count).fill(shade),
  );
  for (const { geometry } of parts) geometry.dispose();
  return merged.setAttribute('color', new Float32BufferAttribute(shades, 3));
}
