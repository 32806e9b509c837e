import { expect, it } from 'vitest';
import { ranked } from './ranking.ts';

const entries = [
  { words: 'Teach', group: 'Page' },
  { words: 'Repeat', group: 'Command' },
  { words: 'Save a picture', group: 'Command' },
  { words: 'Pick and place', group: 'Toolpath' },
  { words: 'Places', group: 'Toolpath' },
];
const found = (query: string) => ranked(entries, query).map(({ words }) => words);

it('leaves everything as it is while nothing is asked', () => {
  expect(found('  ')).toEqual(entries.map(({ words }) => words));
});

it('puts beginnings of entries before beginnings of words before insides', () => {
  expect(found('p')).toEqual(['Pick and place', 'Places', 'Save a picture', 'Repeat', 'Teach']);
  expect(found('place')).toEqual(['Places', 'Pick and place']);
});

it('wants every word, in any order and case, of the entry or of what it is', () => {
  expect(found('PLACE pick')).toEqual(['Pick and place']);
  expect(found('toolpath pla')).toEqual(['Places', 'Pick and place']);
  expect(found('place teach')).toEqual([]);
});
