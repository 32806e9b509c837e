import { expect, it } from 'vitest';
import { rankEntries } from './ranking.ts';

const entries = [
  { label: 'Teach', group: 'Page' },
  { label: 'Repeat', group: 'Command' },
  { label: 'Save a picture', group: 'Command' },
  { label: 'Pick and place', group: 'Toolpath' },
  { label: 'Places', group: 'Toolpath' },
];
const found = (query: string) => rankEntries(entries, query).map(({ label }) => label);

it('keeps the order for an empty query', () => {
  expect(found('  ')).toEqual(entries.map(({ label }) => label));
});

it('ranks prefixes of labels before prefixes of words before other matches', () => {
  expect(found('p')).toEqual(['Pick and place', 'Places', 'Save a picture', 'Repeat', 'Teach']);
  expect(found('place')).toEqual(['Places', 'Pick and place']);
});

it('matches every word of the query, in any order and case, in the label or the group', () => {
  expect(found('PLACE pick')).toEqual(['Pick and place']);
  expect(found('toolpath pla')).toEqual(['Places', 'Pick and place']);
  expect(found('place teach')).toEqual([]);
});
