/** Materials of the scene. They are shared by all parts, so that parts can be merged. */
import {
  Color,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  type WebGLProgramParametersWithUniforms,
} from 'three';
import type { Palette } from './palette.ts';

/** Material of a part. The shells of a link are drawn in one call, and all its other parts. */
export type MaterialName = 'shell' | 'cap' | 'metal' | 'tool' | 'ring' | 'gap';

export interface Materials {
  readonly shell: MeshPhysicalMaterial;
  readonly trim: TrimMaterial;
  readonly tool: MeshStandardMaterial;
  /** LED ring of the head. Not tone mapped: tone mapping turns its green into cyan. */
  readonly led: MeshBasicMaterial;
}

/** Marks in the fourth vertex colour of what the trim material draws. */
export const TRIM = { cap: 1, metal: 0.5, ring: 0 } as const;
const METAL = { roughness: 0.42, metalness: 0.85 } as const;

const TRIM_CHUNKS: Readonly<Record<string, string>> = {
  color_fragment: `bool isMetal = vColor.a > 0.25 && vColor.a < 0.75;
if (isMetal) diffuseColor.rgb = metalColour * vColor.rgb;`,
  roughnessmap_fragment: `if (isMetal) roughnessFactor = ${METAL.roughness};`,
  metalnessmap_fragment: `if (isMetal) metalnessFactor = ${METAL.metalness};`,
  // Rings have no light of the scene and no tone mapping.
  tonemapping_fragment: 'if (vColor.a < 0.25) gl_FragColor.rgb = ringColour;',
};

/** Lids, gaps, metal and rings of a link, which one call draws. */
export class TrimMaterial extends MeshStandardMaterial {
  readonly metal = new Color();
  readonly ring = new Color();

  constructor() {
    super({ roughness: 0.48, metalness: 0.15, vertexColors: true });
  }

  override onBeforeCompile(shader: WebGLProgramParametersWithUniforms): void {
    shader.uniforms['metalColour'] = { value: this.metal };
    shader.uniforms['ringColour'] = { value: this.ring };
    const source = Object.entries(TRIM_CHUNKS).reduce(
      (text, [chunk, more]) => text.replace(`#include <${chunk}>`, `#include <${chunk}>\n${more}`),
      shader.fragmentShader,
    );
    shader.fragmentShader = `uniform vec3 metalColour, ringColour;\n${source}`;
  }

  override copy(source: this): this {
    super.copy(source);
    this.metal.copy(source.metal);
    this.ring.copy(source.ring);
    return this;
  }
}

/** Creates the materials; call `applyPalette` before drawing them. */
export function createMaterials(): Materials {
  return {
    shell: new MeshPhysicalMaterial({ roughness: 0.44, clearcoat: 0.25, clearcoatRoughness: 0.42 }),
    trim: new TrimMaterial(),
    tool: new MeshStandardMaterial({ roughness: 0.55, metalness: 0.2 }),
    led: new MeshBasicMaterial({ toneMapped: false, color: 0xffffff }),
  };
}

/** Sets the colours of the materials for a theme. */
export function applyPalette(materials: Materials, palette: Palette): void {
  materials.shell.color.copy(palette.shell);
  materials.trim.color.copy(palette.cap);
  materials.trim.metal.copy(palette.metal);
  materials.trim.ring.copy(palette.ring);
  materials.tool.color.copy(palette.tool);
}
