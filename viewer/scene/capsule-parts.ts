/** The parts of an arm without drawn covers: the capsules that it collides with, one shell a link. */
import { BufferGeometry, Float32BufferAttribute } from 'three';
import { CAPSULE_COUNT, CAPSULE_LINK } from '../../physics/arm/geometry.ts';
import { addCapsule, type TriangleMesh } from '../../physics/formats/triangle-mesh.ts';
import type { ArmPart } from './arm-parts.ts';

export function capsuleParts(): ArmPart[] {
  return Array.from({ length: CAPSULE_COUNT }, (_, k): ArmPart => {
    const mesh: TriangleMesh = { positions: [], normals: [], indices: [] };
    addCapsule(mesh, k);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(mesh.positions, 3));
    geometry.setAttribute('normal', new Float32BufferAttribute(mesh.normals, 3));
    geometry.setIndex(mesh.indices);
    return { link: CAPSULE_LINK[k]!, material: 'shell', geometry };
  });
}
