import { describe, expect, it } from 'vitest';
import { Layout } from './layout.ts';

describe('a layout', () => {
  const layout = new Layout({ phase: 1, none: 0, angles: 3 });

  it('places its parts one after the other', () => {
    expect(layout.at).toEqual({ phase: 0, none: 1, angles: 1 });
    expect(layout.size).toBe(4);
    expect(layout.create()).toEqual(new Float64Array(4));
  });

  it('views the parts of an array, also of a part of another one', () => {
    const whole = new Float64Array(6);
    const { phase, angles, none } = layout.views(whole.subarray(1, 5));
    phase[0] = 7;
    angles.set([1, 2, 3]);
    expect(none).toHaveLength(0);
    expect(Array.from(whole)).toEqual([0, 7, 1, 2, 3, 0]);
  });

  it('refuses an array of another size', () => {
    expect(() => layout.views(new Float64Array(5))).toThrow('an array of 5 numbers');
  });
});
