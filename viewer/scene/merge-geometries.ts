/** Joins geometries into one, so that one mesh draws many parts. */
import { BufferAttribute, BufferGeometry, Float32BufferAttribute } from 'three';

function indexCount(part: BufferGeometry): number {
  return part.index?.count ?? part.attributes['position']!.count;
}

/** Merges `parts` into one geometry with positions and normals; the originals do not change. */
export function mergeGeometries(parts: readonly BufferGeometry[]): BufferGeometry {
  const vertices = parts.reduce((sum, part) => sum + part.attributes['position']!.count, 0);
  const positions = new Float32Array(3 * vertices);
  const normals = new Float32Array(3 * vertices);
  const indices = new Uint32Array(parts.reduce((sum, part) => sum + indexCount(part), 0));
  let vertex = 0;
  let at = 0;
  for (const part of parts) {
    positions.set(part.attributes['position']!.array, 3 * vertex);
    normals.set(part.attributes['normal']!.array, 3 * vertex);
    for (let k = 0; k < indexCount(part); k++) {
      indices[at++] = vertex + (part.index?.getX(k) ?? k);
    }
    vertex += part.attributes['position']!.count;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  return geometry.setIndex(new BufferAttribute(indices, 1));
}

/** Attribute for merged parts with one value per part. */
export function perPartAttribute(
  parts: readonly BufferGeometry[],
  values: readonly (readonly number[])[],
): BufferAttribute {
  const each = parts.flatMap((part, i) =>
    Array.from({ length: part.attributes['position']!.count }, () => values[i]!).flat(),
  );
  return new Float32BufferAttribute(each, values[0]?.length ?? 1);
}
