import { describe, expect, it } from 'vitest';
import { compareFigures, figuresOf } from './figures.mjs';

const TEXT = `
stepped, fast, 0 clients: 780 x real time, 12.8 µs a tick
stepped, fast, 1 clients: 400 x real time, 25 µs a tick
inverse, p50 (µs)                  3.4            12           yes           60
error (m)                          1.1e-12      1.0e-11          NO             
`;

describe('figures of an output', () => {
  it('are the numbers of its lines, named by the text around them', () => {
    expect([...figuresOf(TEXT)]).toEqual([
      ['stepped, fast, [#] clients: # x real time, # µs a tick', 0],
      ['stepped, fast, # clients: [#] x real time, # µs a tick', 780],
      ['stepped, fast, # clients: # x real time, [#] µs a tick', 12.8],
      ['stepped, fast, [#] clients: # x real time, # µs a tick (2)', 1],
      ['stepped, fast, # clients: [#] x real time, # µs a tick (2)', 400],
      ['stepped, fast, # clients: # x real time, [#] µs a tick (2)', 25],
      ['inverse, p50 (µs)', 3.4],
      ['error (m)', 1.1e-12],
    ]);
  });

  it('may be below zero, and a dash between words is none of them', () => {
    expect([...figuresOf('drift -0.4 ms in 20-40 s')]).toEqual([
      ['drift [#] ms in #-# s', -0.4],
      ['drift # ms in [#]-# s', 20],
      ['drift # ms in #-[#] s', 40],
    ]);
  });

  it('compare by medians; settings and figures of one column alone are left out', () => {
    const round = (/** @type {string} */ text) => figuresOf(text);
    const before = [round('5 runs: 10 ms'), round('5 runs: 30 ms'), round('5 runs: 12 ms\nold 1')];
    const now = [round('5 runs: 6 ms'), round('5 runs: 5 ms'), round('5 runs: 99 ms')];
    expect(compareFigures([before, now])).toEqual([
      { name: '# runs: [#] ms', medians: [12, 6], ratios: [1, 0.5] },
    ]);
  });

  it('compare with the first column that has them', () => {
    const rows = compareFigures([[figuresOf('a 1')], [figuresOf('b 4')], [figuresOf('b 2')]]);
    expect(rows).toEqual([
      { name: 'b [#]', medians: [Number.NaN, 4, 2], ratios: [Number.NaN, 1, 0.5] },
    ]);
  });
});
