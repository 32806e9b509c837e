/** The colour of the light at the head of the arm. */

import { Color } from 'three';
import type { Theme } from './palette.ts';

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
