/** The light ring of the head: what it says, and in which colour each theme draws it. */
import { Color } from 'three';
import type { Theme } from './palette.ts';

/** What the light ring of the head shows (facts of the real arm: white idle, green running). */
export type HeadLight = 'white' | 'green' | 'yellow' | 'off';

const LIGHTS: Record<HeadLight, number> = {
  white: 0xf4f8ff,
  green: 0x2fd08a,
  yellow: 0xffb020,
  off: 0x2b2f33,
};
/** In the light theme a glowing green would vanish on white: the ring is drawn deeper. */
const GREEN_ON_LIGHT = 0x1fae74;

/** The colour of the ring. */
export function lightColour(light: HeadLight, theme: Theme): Color {
  return new Color(theme === 'light' && light === 'green' ? GREEN_ON_LIGHT : LIGHTS[light]);
}
