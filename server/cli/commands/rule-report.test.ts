import { describe, expect, it } from 'vitest';
import type { RuleResult } from '../../../conformance/rule-result.ts';
import { ruleJunit, ruleTable } from './rule-report.ts';
import { scoreOf, scoreText } from './rule-score.ts';

function result(outcome: RuleResult['outcome'], requirements: string[], reason = ''): RuleResult {
  const rule = { id: `a/${outcome}`, requirements, routes: [], statement: 'S', async check() {} };
  return { rule, outcome, reason };
}

const mixed = [
  result('held', ['A1', 'A2']),
  result('broken', ['A2'], '1 < 2 & "3"\u0007'),
  result('skipped', ['A3'], 'not granted'),
];

describe('reports of a run', () => {
  it('counts a requirement as proven only when all its rules held', () => {
    const score = scoreOf(mixed);
    expect(score).toEqual({
      held: 1,
      broken: 1,
      skipped: 1,
      requirements_proven: 1,
      requirements: 3,
      share: 0.5,
    });
    expect(scoreText(score)).toBe(
      '1 of 2 rules held (50 %), 1 skipped; 1 of 3 requirements proven',
    );
  });

  it('scores a run without results as 0', () => {
    expect(scoreOf([]).share).toBe(0);
  });

  it('never rounds up to 100 %', () => {
    const many = [...Array.from({ length: 2999 }, () => result('held', [])), result('broken', [])];
    expect(scoreText(scoreOf(many))).toContain('(99.9 %)');
  });

  it('prints the reason below the line of its rule', () => {
    expect(ruleTable(mixed).split('\n').slice(2, 4)).toEqual([
      'a/broken   broken   S',
      '           1 < 2 & "3"\u0007',
    ]);
  });

  it('escapes any reason for XML', () => {
    const text = ruleJunit(mixed, 'x');
    expect(text).toContain('<failure message="1 &lt; 2 &amp; &quot;3&quot;"/>');
    expect(text).toContain('<skipped message="not granted"/>');
    expect(text).toContain('tests="3" failures="1" skipped="1"');
  });
});
