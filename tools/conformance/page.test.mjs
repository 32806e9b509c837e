/**
 * docs/conformance.md says what the catalogue says today: everything in it but the outcomes is made
 * again and compared. The outcomes are proven by the runs of the rules.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../contract/rules/catalogue.ts';
import { DEVIATIONS } from '../../contract/rules/deviations.ts';
import { UNPROVEN } from '../../contract/rules/unproven.ts';
import { conformancePage, outcomesOf } from './page.mjs';

const text = readFileSync('docs/conformance.md', 'utf8');
const outcomes = outcomesOf(text);

describe('docs/conformance.md', () => {
  it('is what npm run conformance would write', () => {
    const page = conformancePage({
      rules: RULES,
      outcomes,
      deviations: DEVIATIONS,
      unproven: UNPROVEN,
    });
    expect(text).toBe(page);
  });

  it('tells of every rule in both dialects, and of none that is broken', () => {
    expect(Object.keys(outcomes)).toEqual(['documented', 'fielded']);
    for (const byRule of Object.values(outcomes)) {
      expect(Object.keys(byRule)).toEqual(RULES.map(({ id }) => id));
      expect(new Set(Object.values(byRule))).toEqual(new Set(['held']));
    }
  });

  it('names rules that exist beside the deviations', () => {
    const ids = new Set(RULES.map(({ id }) => id));
    const named = DEVIATIONS.flatMap(({ rules }) => rules);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });
});
