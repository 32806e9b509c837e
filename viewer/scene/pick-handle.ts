import { type BufferGeometry, Mesh, MeshBasicMaterial } from 'three';
import { PICK_LAYER } from './pick-layer.ts';

const UNSEEN = new MeshBasicMaterial();

/** The handle of a device: what the pointer meets. */
export function handleOf(name: string, geometry: BufferGeometry): Mesh {
  const mesh = new Mesh(geometry, UNSEEN);
  mesh.name = name;
  mesh.layers.set(PICK_LAYER);
  return mesh;
}
