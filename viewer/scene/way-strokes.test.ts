import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openToolpath } from '../toolpath/open-toolpath.ts';
import type { Way } from '../toolpath/way.ts';
import { type Chords, chordsOf, dotsOf } from './way-strokes.ts';

const SORTER = readFileSync(
  new URL('../../fixtures/toolpaths/sorter.json', import.meta.url),
  'utf8',
);

/** The way of the sorter, its timeline gone through `times` times. */
function sorterWay(times: number): Way {
  const toolpath = JSON.parse(SORTER);
  const [home, ...rest] = toolpath.timeline;
  toolpath.timeline = [home, ...Array.from({ length: times }, () => rest).flat()];
  const opened = openToolpath(JSON.stringify(toolpath));
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value.preview.way({});
}
const way = sorterWay(1);

/** How far sample `i` is from the nearest chord (m). */
function distance({ track: { tips } }: Way, chords: Chords, i: number): number {
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

it('keeps every place of the way within a millimetre of a chord', () => {
  const chords = chordsOf(way, false);
  for (let i = 0; i < way.track.count; i++) expect(distance(way, chords, i)).toBeLessThan(0.001);
});

it('draws a way with far fewer chords than it has samples', () => {
  expect(chordsOf(way, false).length / 2).toBeLessThan(way.track.count / 5);
});

it('takes shorter chords where the colour tells the speed', () => {
  expect(chordsOf(way, true).length).toBeGreaterThan(chordsOf(way, false).length);
});

it('never joins two stretches in one chord', () => {
  const { stretches } = way.track;
  const chords = chordsOf(way, false);
  for (let c = 0; c < chords.length; c += 2) {
    expect(stretches[chords[c]!]).toBe(stretches[chords[c + 1]!]);
  }
});

it('draws once what a loop goes over again', () => {
  const [twice, often] = [sorterWay(2), sorterWay(6)];
  expect(chordsOf(often, false).length).toBe(chordsOf(twice, false).length);
  expect(dotsOf(often).length).toBeLessThan(1.5 * dotsOf(twice).length);
});

it('keeps apart what can be made and what cannot', () => {
  const [first] = way.stretches.filter(({ path, duration_s }) => path && duration_s > 0.5);
  const problem = { code: 'object_collision', message: '', from_s: 0.25 } as const;
  const stretches = way.stretches.map((one) => (one === first ? { ...one, problem } : one));
  const chords = chordsOf({ ...way, stretches }, false);
  const { times_s } = way.track;
  const from_s = first!.start_s + problem.from_s;
  const across = chords.filter((_, c) => {
    const [start_s, end_s] = [times_s[chords[c & ~1]!]!, times_s[chords[c | 1]!]!];
    return start_s < from_s - 0.011 && end_s > from_s && end_s < first!.start_s + first!.duration_s;
  });
  expect(across).toEqual([]);
});
