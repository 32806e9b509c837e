/**
 * docs/evidence/conformance.md matches the catalogue: the test formats it again with the outcomes of
 * the page. The rule runs prove the outcomes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../conformance/catalogue.ts';
import { DEVIATIONS } from '../../conformance/deviations.ts';
import { UNPROVEN } from '../../conformance/unproven.ts';
import { conformancePage, outcomesOf } from './page.mjs';

const text = readFileSync('docs/evidence/conformance.md', 'utf8');
const outcomes = outcomesOf(text);

describe('docs/evidence/conformance.md', () => {
  it('is what npm run generate conformance writes', () => {
    const page = conformancePage({
      rules: RULES,
      outcomes,
      deviations: DEVIATIONS,
      unproven: UNPROVEN,
    });
    expect(text).toBe(page);
  });

  it('lists every rule in both dialects and no broken rule', () => {
    expect(Object.keys(outcomes)).toEqual(['documented', 'fielded']);
    for (const byRule of Object.values(outcomes)) {
      expect(Object.keys(byRule)).toEqual(RULES.map(({ id }) => id));
      expect(new Set(Object.values(byRule))).toEqual(new Set(['held']));
    }
  });

  it('has a deviation, with a proof, for each mark in the decisions, and no other', () => {
    const pages = readdirSync('docs/decisions').filter((name) => /^\d/.test(name));
    const marked = pages.flatMap((name) => {
      const sections = readFileSync(`docs/decisions/${name}`, 'utf8')
        .split(/^## (?=D\d)/m)
        .slice(1);
      return sections.flatMap((section) => {
        const marks = section.match(/\*\*deviation\*\*/gi) ?? [];
        return marks.map(() => /^D\d+/.exec(section)?.[0]);
      });
    });
    const listed = DEVIATIONS.map(({ decision }) => decision);
    expect([...marked].sort()).toEqual([...listed].sort());
    for (const { rules, tests = [] } of DEVIATIONS) {
      expect(rules.length + tests.length).toBeGreaterThan(0);
      for (const path of tests) expect(existsSync(path), path).toBe(true);
    }
  });

  it('refers only to existing rules in deviations', () => {
    const ids = new Set(RULES.map(({ id }) => id));
    const named = DEVIATIONS.flatMap(({ rules }) => rules);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });
});
