import { describe, expect, it } from 'vitest';
import type { ToolpathHead } from '../../contract/types.generated.ts';
import { cellOf } from '../link/cell-merge.ts';
import { EMPTY_SIM } from '../link/snapshot.cases.ts';
import { copyName } from './library-actions.ts';
import { checkedText, detailsTexts } from './library-listing.ts';
import { arrange, modifiedIn, type ORDERS } from './library-order.ts';
import type { ToolpathDetails } from './toolpath-details.ts';

const HEADS: ToolpathHead[] = [
  { id: 1, name: 'Sorter 10', hash: 'a' },
  { id: 2, name: 'sorter 9', hash: 'b' },
  { id: 3, name: 'Rinse', hash: 'c' },
  { id: 4, name: 'Über', hash: 'd' },
];
const DETAILS: Readonly<Record<string, ToolpathDetails>> = {
  a: { duration_s: 30, isOpenEnded: false, errors: 0, checkedAgainst: [], bytes: 100 },
  b: { duration_s: 10, isOpenEnded: false, errors: 2, checkedAgainst: [], bytes: 300 },
  c: { duration_s: 20, isOpenEnded: false, errors: 0, checkedAgainst: [], bytes: 200 },
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

  it('has the order of the last save where the arm reports it, and says why where not', () => {
    const times = new Map([
      [1, '2020-01-01T00:00:00.000Z'],
      [3, '2020-01-02T00:00:00.000Z'],
    ]);
    const saved = arrange(HEADS, { query: '', order: 'modified', modified: times }, detailsOf);
    expect(saved.map(({ id }) => id)).toEqual([3, 1, 4, 2]);
    const sim = { ...EMPTY_SIM, modified: times };
    expect(modifiedIn({ sim, driver: 'rapier' })).toBe(times);
    expect(modifiedIn({ sim: null, driver: 'rapier' })).toBe('reported to admins only');
    expect(modifiedIn({ sim: null, driver: 'upstream' })).toBe('not reported by this arm');
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

it.each([
  [
    { duration_s: 8.63, isOpenEnded: false, errors: 0, checkedAgainst: [], bytes: 1712 },
    '8.6 s · 1.7 kB',
  ],
  [
    { duration_s: 14, isOpenEnded: true, errors: 0, checkedAgainst: [], bytes: 1712 },
    'from 14.0 s · 1.7 kB',
  ],
  [
    { duration_s: 1198, isOpenEnded: false, errors: 0, checkedAgainst: [], bytes: 102_600 },
    '19:58 min · 102.6 kB',
  ],
  [{ duration_s: 0, isOpenEnded: false, errors: 1, checkedAgainst: [], bytes: 900 }, '1 error'],
])('says of %o: %s', (details, text) => {
  expect(detailsTexts(details).join('')).toBe(text);
});

describe('what the toolpaths of a list are checked against', () => {
  const table = { name: 'table', position: { x: 1, y: 0, z: 0 }, boxes: [] };
  const description = { name: 'cell', fixtures: [table] };
  const around = { ...EMPTY_SIM, cell: cellOf(description, null) };

  it('names the cell, and says where none is known', () => {
    expect(checkedText({ sim: around })).toMatch(/, the cell of 1 body, as described\.$/);
    for (const sim of [EMPTY_SIM, null]) {
      expect(checkedText({ sim })).toMatch(/, no cell \(none is known\)\.$/);
    }
  });
});
