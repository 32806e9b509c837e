/**
 * Colours of the scene, read from the style tokens of the page (styles/tokens.css), so that canvas
 * and panels share one table.
 */
import { Color } from 'three';

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
