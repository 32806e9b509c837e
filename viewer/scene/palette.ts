/**
 * The colours of the scene, read from the style tokens of the page, so that canvas and panels
 * share one table (styles/tokens.css).
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

/** The palette as the document's style sheets give it now. */
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
