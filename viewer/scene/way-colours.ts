/** How the planned path is coloured: by kind of move, or by speed as a ramp of one hue. */
import { Color } from 'three';
import type { Way } from '../toolpath/way.ts';
import type { Theme } from './palette.ts';

export type PathColouring = 'type' | 'speed';

export interface WayColours {
  readonly joint_space: Color;
  readonly linear: Color;
  readonly spline: Color;
  readonly fault: Color;
  readonly accent: Color;
  readonly dot: Color;
  /** Ends of the ramp by speed: at rest, and at the highest speed. */
  readonly slow: Color;
  readonly fast: Color;
}

/** The colours as the document's style sheets give them now. */
export function readWayColours(theme: Theme): WayColours {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => new Color(style.getPropertyValue(`--${name}`).trim());
  const accent = token('accent');
  const hue = accent.getHSL({ h: 0, s: 0, l: 0 }).h;
  const [slow, fast] = theme === 'light' ? [0.84, 0.3] : [0.26, 0.8];
  return {
    joint_space: token('move-joint'),
    linear: token('move-linear'),
    spline: token('move-spline'),
    fault: token('fault'),
    accent,
    dot: token('panel'),
    slow: new Color().setHSL(hue, 0.75, slow),
    fast: new Color().setHSL(hue, 0.75, fast),
  };
}

const fastest = new WeakMap<Way, number>();

function fastestOf(way: Way): number {
  let most = fastest.get(way);
  if (most === undefined) {
    most = way.track.speeds.reduce((a, b) => Math.max(a, b), 1e-6);
    fastest.set(way, most);
  }
  return most;
}

/** Writes the colour of sample `i` of a way into `out`. */
export function colourOf(
  way: Way,
  i: number,
  colouring: PathColouring,
  colours: WayColours,
  out: Color,
): Color {
  if (colouring === 'speed') {
    return out.lerpColors(colours.slow, colours.fast, way.track.speeds[i]! / fastestOf(way));
  }
  const { kind } = way.stretches[way.track.stretches[i]!]!;
  return out.copy(kind === 'linear' || kind === 'spline' ? colours[kind] : colours.joint_space);
}

/** The same for every kind of move: a way that is there to be compared with. */
export function inOneColour(colours: WayColours, one: Color): WayColours {
  return { ...colours, joint_space: one, linear: one, spline: one, dot: one };
}
