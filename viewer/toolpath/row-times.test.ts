import { expect, it } from 'vitest';
import { rowTimes } from './row-times.ts';
import type { TimedPath, TimedSegment } from './timed-path.ts';

function segment(at: string, [start_s, duration_s]: [number, number], calls: string[] = []) {
  return { at, start_s, duration_s, calls } as Partial<TimedSegment> as TimedSegment;
}

const path = {
  segments: [
    segment('/timeline/0', [0, 1]),
    segment('/timeline/1/timeline/0', [1, 2]),
    segment('/routines/0/timeline/0', [3, 4], ['/timeline/1/timeline/1']),
    segment('/timeline/1/timeline/0', [7, 3]),
  ],
} as Partial<TimedPath> as TimedPath;
const times = rowTimes(path);

it('sums the durations of all visits', () => {
  expect(times.get('/timeline/1/timeline/0')).toEqual({ reached_s: 1, once_s: 2, total_s: 5 });
});

it('counts a routine for its calls and their containers', () => {
  expect(times.get('/timeline/1/timeline/1')?.total_s).toBe(4);
  expect(times.get('/timeline/1')?.total_s).toBe(9);
  expect(times.get('/routines/0')?.total_s).toBe(4);
});

it('has no time for rows off the path', () => {
  expect(times.has('/timeline/2')).toBe(false);
});
