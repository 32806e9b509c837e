import { describe, expect, it } from 'vitest';
import { dealRules, faultsIn } from './servo-rules.mjs';

/** @param {string} id @param {number} [armTime_s] */
const rule = (id, armTime_s) => ({
  id,
  statement: 'S',
  ...(armTime_s === undefined ? {} : { needs: { armTime_s } }),
});

describe('the log of an arm', () => {
  it('is searched for the sentences behind errors', () => {
    const lines = ['ready → error (fault)', 'Joint 3 (servo 4) does not answer', 'error → ready'];
    const log = lines.map((msg) => JSON.stringify({ level: 30, msg })).join('\n');
    expect(faultsIn(log)).toEqual([lines[1]]);
  });
});

describe('rules dealt to arms', () => {
  it('give each arm as much to do, in the order of the catalogue', () => {
    const rules = [rule('a'), rule('b', 10), rule('c', 8), rule('d'), rule('e', 12)];
    const hands = dealRules(rules, 2).map((hand) => hand.map(({ id }) => id));
    expect(hands).toEqual([
      ['a', 'd', 'e'],
      ['b', 'c'],
    ]);
  });

  it('leave none out, and count as no work what will be skipped', () => {
    const rules = [rule('long', 36_000), rule('a'), rule('b'), rule('c')];
    const hands = dealRules(rules, 2).map((hand) => hand.map(({ id }) => id));
    expect(hands).toEqual([['long', 'a', 'c'], ['b']]);
  });
});
