import { type Group, LineSegments, type Material, Mesh, type Texture } from 'three';

/** Empties a group and frees what it drew with; materials that stay are kept. */
export function disposeIn(group: Group, kept: readonly Material[]): void {
  group.traverse((child) => {
    if (!(child instanceof Mesh || child instanceof LineSegments)) return;
    child.geometry.dispose();
    const material: Material & { readonly map?: Texture | null } = child.material;
    if (kept.includes(material)) return;
    material.map?.dispose();
    material.dispose();
  });
  group.clear();
}
