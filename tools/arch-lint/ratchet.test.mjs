import { describe, expect, it } from 'vitest';
import { compare, lowered } from './ratchet.mjs';

/** @param {Record<string, number>} values */
const places = (values) =>
  new Map(Object.entries(values).map(([place, value]) => [place, { value, say: `is ${value}` }]));

describe('ratchet', () => {
  it('accepts the known numbers', () => {
    expect(compare({ a: 5 }, places({ a: 5 }))).toEqual([]);
  });

  it('reports larger numbers and new places', () => {
    expect(compare({ a: 5 }, places({ a: 6, b: 1 }))).toEqual(['a: is 6', 'b: is 1']);
  });

  it('reports smaller numbers until they are written', () => {
    expect(compare({ a: 5, b: 1 }, places({ a: 4 }))).toHaveLength(2);
    expect(lowered({ a: 5, b: 1 }, places({ a: 4 }))).toEqual({ a: 4 });
  });

  it('never writes a larger number or a new place', () => {
    expect(lowered({ a: 5 }, places({ a: 9, b: 1 }))).toEqual({ a: 5 });
  });

  it('accepts a new rule as it is', () => {
    expect(lowered(undefined, places({ a: 9 }))).toEqual({ a: 9 });
  });
});
