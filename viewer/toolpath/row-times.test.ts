import { expect, it } from 'vitest';
import { rowTimes } from './row-times.ts';
import type { Stretch, Way } from './way.ts';

function stretch(at: string, [start_s, duration_s]: [number, number], calls: string[] = []) {
  return { at, start_s, duration_s, calls } as Partial<Stretch> as Stretch;
}

const way = {
  stretches: [
    stretch('/timeline/0', [0, 1]),
    stretch('/timeline/1/timeline/0', [1, 2]),
    stretch('/routines/0/timeline/0', [3, 4], ['/timeline/1/timeline/1']),
    stretch('/timeline/1/timeline/0', [7, 3]),
  ],
} as Partial<Way> as Way;
const times = rowTimes(way);

it('adds up what an action takes each time the way comes by', () => {
  expect(times.get('/timeline/1/timeline/0')).toEqual({ first_s: 1, once_s: 2, total_s: 5 });
});

it('counts a routine for its calls and for what they lie in', () => {
  expect(times.get('/timeline/1/timeline/1')?.total_s).toBe(4);
  expect(times.get('/timeline/1')?.total_s).toBe(9);
  expect(times.get('/routines/0')?.total_s).toBe(4);
});

it('says nothing of what the way passes by', () => {
  expect(times.has('/timeline/2')).toBe(false);
});
