import { describe, expect, it } from 'vitest';
import { judge, withViolations } from './rules.mjs';

/** @param {string} id @param {'held' | 'broken' | 'skipped'} outcome */
const result = (id, outcome) => ({ rule: { id, statement: 'S' }, outcome, reason: 'R' });

describe('judge', () => {
  it('counts held, broken and skipped rules, with reasons', () => {
    const results = [result('a', 'held'), result('b', 'broken'), result('c', 'skipped')];
    const { counts, lines, broken } = judge(results, []);
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
    expect(lines).toEqual(['FAIL b: S\n     R', 'skip c: R']);
    expect(broken).toEqual(['b']);
  });

  it('counts a violation that the monitor found as a broken rule', () => {
    const { counts } = judge(withViolations([result('a', 'held')], ['{statement="s"}']), []);
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('skips a listed rule that does not hold', () => {
    const { counts, lines } = judge([result('b', 'broken')], ['b']);
    expect(counts).toEqual({ passed: 0, failed: 0, skipped: 1 });
    expect(lines).toEqual(['skip b: R']);
  });

  it('fails for a listed rule that holds and for an unknown id', () => {
    expect(judge([result('a', 'held')], ['a']).counts.failed).toBe(1);
    expect(judge([result('a', 'held')], ['gone']).counts).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });
});
