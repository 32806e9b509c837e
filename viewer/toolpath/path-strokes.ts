/**
 * Reduces a path to the strokes that draw it: chords within a tolerance of shape and colour, and a
 * dot every 100 ms. Bounds the drawing cost of long paths. Repeated parts are drawn once, so that a
 * faint line stays faint. Pure.
 */
import type { TimedPath } from './timed-path.ts';

/** Tolerance of a chord; doubled until the path fits into CHORDS_MAX. */
const NEAR_M = 0.0003;
const NEAREST_PLACE_M = 0.0005;
const FARTHEST_M = 0.02;
const CHORDS_MAX = 1_800;
const CHORD_SAMPLES_MAX = 64;
/**
 * Largest change of speed within a chord, as a share of the highest speed: the colour is
 * interpolated from end to end.
 */
const SPEED_SHARE = 0.04;
const DOT_S = 0.1;
const DOTS_MAX = 1_000;

/** Sample indices of the chords' ends, in pairs. */
export type Chords = readonly number[];

/** Whether the path is infeasible at sample `i`. */
export function isFaulty({ samples, segments }: TimedPath, i: number): boolean {
  const { problem, start_s } = segments[samples.segmentIndex[i]!]!;
  return problem !== null && samples.times_s[i]! > start_s + problem.from_s;
}

interface Tolerance {
  readonly near_m: number;
  /** Difference of speeds (m/s) that a chord may hide. */
  readonly near_m_s: number;
}

/** Whether the samples between two lie within tolerance of their chord. */
function fits(
  { samples }: TimedPath,
  from: number,
  to: number,
  { near_m, near_m_s }: Tolerance,
): boolean {
  const { tips, speeds } = samples;
  const along = (i: number, k: number) => tips[3 * i + k]! - tips[3 * from + k]!;
  const [x, y, z] = [along(to, 0), along(to, 1), along(to, 2)];
  const square = x * x + y * y + z * z;
  for (let i = from + 1; i < to; i++) {
    const [px, py, pz] = [along(i, 0), along(i, 1), along(i, 2)];
    const t = square > 0 ? Math.min(Math.max((px * x + py * y + pz * z) / square, 0), 1) : 0;
    if (Math.hypot(px - t * x, py - t * y, pz - t * z) > near_m) return false;
    const speed = speeds[from]! + t * (speeds[to]! - speeds[from]!);
    if (Math.abs(speeds[i]! - speed) > near_m_s) return false;
  }
  return true;
}

/** The last sample of a chord that starts at `from`, found by halving: most chords are long. */
function chordEnd(path: TimedPath, from: number, tolerance: Tolerance): number {
  const { count, segmentIndex: segments } = path.samples;
  const last = Math.min(count - 1, from + CHORD_SAMPLES_MAX);
  const faulty = isFaulty(path, from + 1);
  let wrong = from + 2;
  while (wrong <= last && segments[wrong] === segments[from] && isFaulty(path, wrong) === faulty) {
    wrong++;
  }
  let end = from + 1;
  for (let tried = wrong - 1; end + 1 < wrong; tried = (end + wrong) >> 1) {
    if (fits(path, from, tried, tolerance)) end = tried;
    else wrong = tried;
  }
  return end;
}

/** Rounded position of sample `i` as a key; equal for samples too close to distinguish. */
function placeOf({ samples }: TimedPath, i: number): string {
  const cell = (k: number) => Math.round(samples.tips[3 * i + k]! / NEAREST_PLACE_M);
  return `${cell(0)} ${cell(1)} ${cell(2)}`;
}

/** Chords by position. Of equal chords the last one remains; it is drawn on top. */
function chordsWithin(
  path: TimedPath,
  tolerance: Tolerance,
): Map<string, readonly [number, number]> {
  const { count, segmentIndex: segments } = path.samples;
  const chords = new Map<string, readonly [number, number]>();
  for (let from = 0; from + 1 < count; ) {
    const to = segments[from + 1] === segments[from] ? chordEnd(path, from, tolerance) : from + 1;
    const [a, b] = [placeOf(path, from), placeOf(path, to)];
    const { kind } = path.segments[segments[to]!]!;
    if (a !== b && segments[to] === segments[from]) {
      chords.set(`${a < b ? `${a} ${b}` : `${b} ${a}`} ${kind} ${isFaulty(path, to)}`, [from, to]);
    }
    from = to;
  }
  return chords;
}

/** The chords of a path; `bySpeed` if the colour shows the speed. */
export function chordsOf(path: TimedPath, bySpeed: boolean): Chords {
  const fastest = path.samples.speeds.reduce((a, b) => Math.max(a, b), 0);
  const near_m_s = bySpeed ? SPEED_SHARE * fastest : Number.POSITIVE_INFINITY;
  for (let coarser = 1; ; coarser *= 2) {
    const near_m = NEAR_M * coarser;
    const chords = chordsWithin(path, { near_m, near_m_s: near_m_s * coarser });
    if (chords.size <= CHORDS_MAX || near_m > FARTHEST_M) return [...chords.values()].flat();
  }
}

/** Samples every 100 ms while the tool moves. */
export function dotsOf(path: TimedPath): readonly number[] {
  const { samples, duration_s } = path;
  const every_s = Math.max(DOT_S, duration_s / DOTS_MAX);
  const dots = new Map<string, number>();
  let next_s = 0;
  for (let i = 0; i < samples.count; i++) {
    if (samples.times_s[i]! < next_s) continue;
    next_s = samples.times_s[i]! + every_s * 0.999;
    if (samples.speeds[i]! >= 1e-4) dots.set(placeOf(path, i), i);
  }
  return [...dots.values()];
}
