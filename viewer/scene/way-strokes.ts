/**
 * The strokes that draw a way: chords as long as its shape and colour allow, and a dot each 100 ms.
 * Pure, apart from the lines (way-lines.ts) because it bounds what a long way costs to draw; what a
 * loop goes over again is drawn once, so that a faint line stays faint.
 */
import type { Way } from '../toolpath/way.ts';

/** A chord stays this close to the way, unless the way is too long for so many chords. */
const NEAR_M = 0.0003;
const NEAREST_PLACE_M = 0.0005;
const FARTHEST_M = 0.02;
const CHORDS_MAX = 1_800;
const CHORD_SAMPLES_MAX = 64;
/** The colour of a chord runs evenly from end to end: the speed may differ by this share. */
const SPEED_SHARE = 0.04;
const DOT_S = 0.1;
const DOTS_MAX = 1_000;

/** Samples at the ends of the chords, in pairs. */
export type Chords = readonly number[];

/** Whether the way can no longer be made at sample `i`. */
export function isFaulty({ track, stretches }: Way, i: number): boolean {
  const { problem, start_s } = stretches[track.stretches[i]!]!;
  return problem !== null && track.times_s[i]! > start_s + problem.from_s;
}

interface Tolerance {
  readonly near_m: number;
  /** Difference of speeds (m/s) that the colour may hide. */
  readonly near_m_s: number;
}

/** Whether the samples between two lie on the chord of these, and run as evenly. */
function fits({ track }: Way, from: number, to: number, { near_m, near_m_s }: Tolerance): boolean {
  const { tips, speeds } = track;
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

/** The last sample of the chord that starts at `from`. */
function chordEnd(way: Way, from: number, tolerance: Tolerance): number {
  const { count, stretches } = way.track;
  const last = Math.min(count - 1, from + CHORD_SAMPLES_MAX);
  let end = from + 1;
  const faulty = isFaulty(way, end);
  while (end < last && stretches[end + 1] === stretches[from]) {
    if (isFaulty(way, end + 1) !== faulty || !fits(way, from, end + 1, tolerance)) break;
    end++;
  }
  return end;
}

/** Where sample `i` is, as a word: the same for all that are too close to be told apart. */
function placeOf({ track }: Way, i: number): string {
  const cell = (k: number) => Math.round(track.tips[3 * i + k]! / NEAREST_PLACE_M);
  return `${cell(0)} ${cell(1)} ${cell(2)}`;
}

/** Chords by their places; of those that are the same the last, which is drawn above. */
function chordsWithin(way: Way, tolerance: Tolerance): Map<string, readonly [number, number]> {
  const { count, stretches } = way.track;
  const chords = new Map<string, readonly [number, number]>();
  for (let from = 0; from + 1 < count; ) {
    const to = stretches[from + 1] === stretches[from] ? chordEnd(way, from, tolerance) : from + 1;
    const [a, b] = [placeOf(way, from), placeOf(way, to)];
    const { kind } = way.stretches[stretches[to]!]!;
    if (a !== b && stretches[to] === stretches[from]) {
      chords.set(`${a < b ? `${a} ${b}` : `${b} ${a}`} ${kind} ${isFaulty(way, to)}`, [from, to]);
    }
    from = to;
  }
  return chords;
}

/** The chords of a way; `bySpeed` where the colour says how fast it is. */
export function chordsOf(way: Way, bySpeed: boolean): Chords {
  const fastest = way.track.speeds.reduce((a, b) => Math.max(a, b), 0);
  const near_m_s = bySpeed ? SPEED_SHARE * fastest : Number.POSITIVE_INFINITY;
  for (let coarser = 1; ; coarser *= 2) {
    const near_m = NEAR_M * coarser;
    const chords = chordsWithin(way, { near_m, near_m_s: near_m_s * coarser });
    if (chords.size <= CHORDS_MAX || near_m > FARTHEST_M) return [...chords.values()].flat();
  }
}

/** Samples where the tool is each 100 ms while it moves. */
export function dotsOf(way: Way): readonly number[] {
  const { track, duration_s } = way;
  const every_s = Math.max(DOT_S, duration_s / DOTS_MAX);
  const dots = new Map<string, number>();
  let next_s = 0;
  for (let i = 0; i < track.count; i++) {
    if (track.times_s[i]! < next_s) continue;
    next_s = track.times_s[i]! + every_s * 0.999;
    if (track.speeds[i]! >= 1e-4) dots.set(placeOf(way, i), i);
  }
  return [...dots.values()];
}
