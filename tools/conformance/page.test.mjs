/**
 * docs/evidence/conformance.md matches the catalogue: the test formats it again with the outcomes of
 * the page. The rule runs prove the outcomes.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../conformance/catalogue.ts';
import { UNPROVEN } from '../../conformance/unproven.ts';
import { conformancePage, outcomesOf } from './page.mjs';

const text = readFileSync('docs/evidence/conformance.md', 'utf8');
const outcomes = outcomesOf(text);

describe('docs/evidence/conformance.md', () => {
  it('is what npm run generate conformance writes', () => {
    expect(text).toBe(conformancePage({ rules: RULES, outcomes, unproven: UNPROVEN }));
  });

  it('lists every rule in both dialects and no broken rule', () => {
    expect(Object.keys(outcomes)).toEqual(['documented', 'fielded']);
    for (const byRule of Object.values(outcomes)) {
      expect(Object.keys(byRule)).toEqual(RULES.map(({ id }) => id));
      expect(new Set(Object.values(byRule))).toEqual(new Set(['held']));
    }
  });
});
