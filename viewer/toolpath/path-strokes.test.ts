import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openToolpath } from './open-toolpath.ts';
import { type Chords, chordsOf, dotsOf } from './path-strokes.ts';
import type { TimedPath } from './timed-path.ts';

const SORTER = readFileSync(
  new URL('../../fixtures/toolpaths/sorter.json', import.meta.url),
  'utf8',
);

/** The path of the sorter with its timeline repeated `times` times. */
function sorterWay(times: number): TimedPath {
  const toolpath = JSON.parse(SORTER);
  const [home, ...rest] = toolpath.timeline;
  toolpath.timeline = [home, ...Array.from({ length: times }, () => rest).flat()];
  const opened = openToolpath(JSON.stringify(toolpath));
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value.preview.path({});
}
const path = sorterWay(1);

/** Distance of sample `i` from the nearest chord (m). */
function distance({ samples: { tips } }: TimedPath, chords: Chords, i: number): number {
  const at = (sample: number, k: number) => tips[3 * sample + k]!;
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < chords.length; c += 2) {
    const [from, to] = [chords[c]!, chords[c + 1]!];
    const chord = [0, 1, 2].map((k) => at(to, k) - at(from, k));
    const here = [0, 1, 2].map((k) => at(i, k) - at(from, k));
    const square = chord.reduce((sum, d) => sum + d * d, 0);
    const dot = chord.reduce((sum, d, k) => sum + d * here[k]!, 0);
    const t = Math.min(Math.max(dot / square, 0), 1);
    least = Math.min(least, Math.hypot(...here.map((d, k) => d - t * chord[k]!)));
  }
  return least;
}

it('keeps every point of the path within a millimetre of a chord', () => {
  const chords = chordsOf(path, false);
  for (let i = 0; i < path.samples.count; i++)
    expect(distance(path, chords, i)).toBeLessThan(0.001);
});

it('draws a path with far fewer chords than samples', () => {
  expect(chordsOf(path, false).length / 2).toBeLessThan(path.samples.count / 5);
});

it('uses shorter chords when coloured by speed', () => {
  expect(chordsOf(path, true).length).toBeGreaterThan(chordsOf(path, false).length);
});

it('never joins two segments in one chord', () => {
  const { segmentIndex: segments } = path.samples;
  const chords = chordsOf(path, false);
  for (let c = 0; c < chords.length; c += 2) {
    expect(segments[chords[c]!]).toBe(segments[chords[c + 1]!]);
  }
});

it('draws the repetitions of a loop once', () => {
  const [twice, often] = [sorterWay(2), sorterWay(6)];
  expect(chordsOf(often, false).length).toBe(chordsOf(twice, false).length);
  expect(dotsOf(often).length).toBeLessThan(1.5 * dotsOf(twice).length);
});

it('separates feasible from infeasible parts', () => {
  const [first] = path.segments.filter(({ path, duration_s }) => path && duration_s > 0.5);
  const problem = { code: 'object_collision', message: '', from_s: 0.25 } as const;
  const segments = path.segments.map((one) => (one === first ? { ...one, problem } : one));
  const chords = chordsOf({ ...path, segments }, false);
  const { times_s } = path.samples;
  const from_s = first!.start_s + problem.from_s;
  const across = chords.filter((_, c) => {
    const [start_s, end_s] = [times_s[chords[c & ~1]!]!, times_s[chords[c | 1]!]!];
    return start_s < from_s - 0.011 && end_s > from_s && end_s < first!.start_s + first!.duration_s;
  });
  expect(across).toEqual([]);
});
