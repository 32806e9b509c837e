import { describe, expect, it } from 'vitest';
import type { ToolpathHead } from '../../contract/types.ts';
import { arrange, type ORDERS, type ToolpathDetails } from './library-list.ts';
import { copyName } from './library-menu.ts';

const HEADS: ToolpathHead[] = [
  { id: 1, name: 'Sorter 10', hash: 'a' },
  { id: 2, name: 'sorter 9', hash: 'b' },
  { id: 3, name: 'Rinse', hash: 'c' },
  { id: 4, name: 'Über', hash: 'd' },
];
const DETAILS: Readonly<Record<string, ToolpathDetails>> = {
  a: { duration_s: 30, errors: 0, bytes: 100 },
  b: { duration_s: 10, errors: 2, bytes: 300 },
  c: { duration_s: 20, errors: 0, bytes: 200 },
};
const detailsOf = (hash: string) => DETAILS[hash];
const ids = (order: (typeof ORDERS)[number][0], query = '') =>
  arrange(HEADS, { query, order }, detailsOf).map(({ id }) => id);

describe('the list of toolpaths', () => {
  it('has each order; what is not checked yet comes last', () => {
    expect(ids('added')).toEqual([1, 2, 3, 4]);
    expect(ids('newest')).toEqual([4, 3, 2, 1]);
    expect(ids('name')).toEqual([3, 2, 1, 4]);
    expect(ids('duration')).toEqual([2, 3, 1, 4]);
    expect(ids('errors')).toEqual([2, 3, 1, 4]);
    expect(ids('size')).toEqual([1, 3, 2, 4]);
    expect(HEADS.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  it('finds names whatever their case', () => {
    expect(ids('name', ' SORTER')).toEqual([2, 1]);
    expect(ids('added', 'über')).toEqual([4]);
    expect(ids('added', 'no such')).toEqual([]);
  });
});

it('names a copy within the length of a name', () => {
  expect(copyName('Sorter')).toBe('Sorter copy');
  expect(Array.from(copyName('🦾'.repeat(128)))).toHaveLength(128);
});
