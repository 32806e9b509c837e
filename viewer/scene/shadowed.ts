import type { Mesh } from 'three';

/** Lets a mesh cast and receive shadows. */
export function shadowed<Part extends Mesh>(mesh: Part): Part {
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}
