/**
 * Colours and materials of the scene. Colours are read from the page's style tokens
 * (styles/tokens.css), so that canvas and panels share one table. Materials are shared by all
 * parts, so that parts can be merged.
 */
import { Color, MeshBasicMaterial, MeshPhysicalMaterial, MeshStandardMaterial } from 'three';

export type Theme = 'light' | 'dark';

export interface Palette {
  readonly theme: Theme;
  readonly shell: Color;
  readonly cap: Color;
  readonly tool: Color;
  readonly metal: Color;
  readonly ring: Color;
  readonly accent: Color;
  readonly fault: Color;
  readonly linear: Color;
  readonly text2: Color;
  readonly run: Color;
  readonly warn: Color;
}

/** Reads the palette from the document's style sheets. */
export function readPalette(theme: Theme): Palette {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => new Color(style.getPropertyValue(`--${name}`).trim());
  return {
    theme,
    shell: colour('shell'),
    cap: colour('cap'),
    tool: colour('tool'),
    metal: colour('metal'),
    ring: colour('ring'),
    accent: colour('accent'),
    fault: colour('fault'),
    linear: colour('move-linear'),
    text2: colour('text2'),
    run: colour('run'),
    warn: colour('warn'),
  };
}

/** Material of a part. Parts of one link and one material are drawn in one call. */
export type MaterialName = 'shell' | 'cap' | 'metal' | 'tool' | 'ring' | 'gap';

export interface Materials {
  readonly shell: MeshPhysicalMaterial;
  readonly cap: MeshStandardMaterial;
  readonly metal: MeshStandardMaterial;
  readonly tool: MeshStandardMaterial;
  readonly ring: MeshBasicMaterial;
  /** LED ring of the head. Not tone mapped: tone mapping turns its green into cyan. */
  readonly led: MeshBasicMaterial;
}

/** Creates the materials; call `applyPalette` before drawing them. */
export function createMaterials(): Materials {
  return {
    shell: new MeshPhysicalMaterial({ roughness: 0.44, clearcoat: 0.25, clearcoatRoughness: 0.42 }),
    // Same features as `metal`, so that one shader program draws both.
    cap: new MeshStandardMaterial({ roughness: 0.48, metalness: 0.15, vertexColors: true }),
    metal: new MeshStandardMaterial({ roughness: 0.42, metalness: 0.85, vertexColors: true }),
    tool: new MeshStandardMaterial({ roughness: 0.55, metalness: 0.2 }),
    ring: new MeshBasicMaterial({ toneMapped: false }),
    led: new MeshBasicMaterial({ toneMapped: false, color: 0xffffff }),
  };
}

/** Sets the colours of the materials for a theme. */
export function applyPalette(materials: Materials, palette: Palette): void {
  materials.shell.color.copy(palette.shell);
  materials.cap.color.copy(palette.cap);
  materials.metal.color.copy(palette.metal);
  materials.tool.color.copy(palette.tool);
  materials.ring.color.copy(palette.ring);
}

/** Colour of the LED ring of the head, as on the real arm: white is idle, green is running. */
export type HeadLight = 'white' | 'green' | 'yellow' | 'off';

const LIGHTS: Record<HeadLight, number> = {
  white: 0xf4f8ff,
  green: 0x2fd08a,
  yellow: 0xffb020,
  off: 0x2b2f33,
};
/** Deeper green for the light theme, where a glowing green is invisible on white. */
const GREEN_ON_LIGHT = 0x1fae74;

/** Colour of the LED ring in a theme. */
export function lightColour(light: HeadLight, theme: Theme): Color {
  return new Color(theme === 'light' && light === 'green' ? GREEN_ON_LIGHT : LIGHTS[light]);
}
