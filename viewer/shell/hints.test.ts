/** The words of the hints where there is a keyboard, and where there is none. */
import { expect, it } from 'vitest';
import { HINTS, hintText } from './hints.tsx';

const KEYS = /⇧|Ctrl|\(\w\)|\bF\b|\?/;

it('names keys and the wheel only where there are some', () => {
  expect(HINTS.filter((hint) => KEYS.test(hintText(hint, false))).length).toBe(3);
  for (const hint of HINTS)
    expect(hintText(hint, true)).not.toMatch(/scroll|⇧|Ctrl|\(\w\)|\bF\b|\?/);
});
