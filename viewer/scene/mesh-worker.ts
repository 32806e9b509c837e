/**
 * The worker that meshes the cast shells, coarse first, so that the arm appears at once and the
 * page stays responsive. Converts millimetres to metres.
 */
import { SHELLS } from './arm-shells.ts';
import type { ShellMesh } from './shell-mesh.ts';
import { surfaceNets } from './surface-nets.ts';

/** Cell sizes: coarse for a quick start, then fine. */
const CELLS_MM = [8, 5] as const;

for (const cell_mm of CELLS_MM) {
  const meshes = SHELLS.map(({ link, solid, low, high }): ShellMesh => {
    const { positions, normals, indices } = surfaceNets(solid, { low, high }, cell_mm);
    for (let p = 0; p < positions.length; p++) positions[p]! *= 0.001;
    return { link, positions, normals, indices };
  });
  const transfer = meshes.flatMap((mesh) => [
    mesh.positions.buffer,
    mesh.normals.buffer,
    mesh.indices.buffer,
  ]);
  self.postMessage(meshes, { transfer });
}
self.close();
