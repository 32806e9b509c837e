/** The materials of the arm, one of each, shared by all parts so that parts can be merged. */
import { MeshBasicMaterial, MeshPhysicalMaterial, MeshStandardMaterial } from 'three';
import type { Palette } from './palette.ts';

/** What a part is made of; parts of one link and one substance are drawn in one call. */
export type Substance = 'shell' | 'cap' | 'metal' | 'tool' | 'ring' | 'gap';

export interface Materials {
  readonly shell: MeshPhysicalMaterial;
  readonly cap: MeshStandardMaterial;
  readonly metal: MeshStandardMaterial;
  readonly tool: MeshStandardMaterial;
  readonly ring: MeshBasicMaterial;
  /** The light ring of the head: not tone mapped, else green turns into cyan. */
  readonly led: MeshBasicMaterial;
}

/** The materials, to be painted before they are drawn. */
export function createMaterials(): Materials {
  return {
    shell: new MeshPhysicalMaterial({ roughness: 0.44, clearcoat: 0.25, clearcoatRoughness: 0.42 }),
    // Alike in what their shaders must do: one program to compile draws both.
    cap: new MeshStandardMaterial({ roughness: 0.48, metalness: 0.15, vertexColors: true }),
    metal: new MeshStandardMaterial({ roughness: 0.42, metalness: 0.85, vertexColors: true }),
    tool: new MeshStandardMaterial({ roughness: 0.55, metalness: 0.2 }),
    ring: new MeshBasicMaterial({ toneMapped: false }),
    led: new MeshBasicMaterial({ toneMapped: false, color: 0xffffff }),
  };
}

/** Colours the materials for a theme. */
export function paint(materials: Materials, palette: Palette): void {
  materials.shell.color.copy(palette.shell);
  materials.cap.color.copy(palette.cap);
  materials.metal.color.copy(palette.metal);
  materials.tool.color.copy(palette.tool);
  materials.ring.color.copy(palette.ring);
}
