/** Colouring of the planned path: by move type, or by speed as a ramp of one hue. */
import { Color } from 'three';
import type { Theme } from '../scene/palette.ts';
import type { TimedPath } from './timed-path.ts';

export type PathColouring = 'type' | 'speed';

export interface PathColours {
  readonly joint_space: Color;
  readonly linear: Color;
  readonly spline: Color;
  readonly fault: Color;
  readonly accent: Color;
  readonly dot: Color;
  /** Ends of the speed ramp: at rest, and at the highest speed. */
  readonly slow: Color;
  readonly fast: Color;
}

/** Reads the colours from the document's style sheets. */
export function readPathColours(theme: Theme): PathColours {
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

const fastest = new WeakMap<TimedPath, number>();

function fastestOf(path: TimedPath): number {
  let most = fastest.get(path);
  if (most === undefined) {
    most = path.samples.speeds.reduce((a, b) => Math.max(a, b), 1e-6);
    fastest.set(path, most);
  }
  return most;
}

/** Writes the colour of sample `i` of a path into `out`. */
export function sampleColour(
  path: TimedPath,
  i: number,
  colouring: PathColouring,
  colours: PathColours,
  out: Color,
): Color {
  if (colouring === 'speed') {
    return out.lerpColors(colours.slow, colours.fast, path.samples.speeds[i]! / fastestOf(path));
  }
  const { kind } = path.segments[path.samples.segmentIndex[i]!]!;
  return out.copy(kind === 'linear' || kind === 'spline' ? colours[kind] : colours.joint_space);
}

/** The same colour for every move type, for a path shown for comparison. */
export function withSingleColour(colours: PathColours, one: Color): PathColours {
  return { ...colours, joint_space: one, linear: one, spline: one, dot: one };
}
