/** The deviations that the decisions mark are listed, each with what proves it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../conformance/catalogue.ts';
import { DEVIATIONS } from '../../conformance/deviations.ts';

describe('deviations', () => {
  it('have an entry, with a proof, for each mark in the decisions, and no other', () => {
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

  it('refer only to existing rules', () => {
    const ids = new Set(RULES.map(({ id }) => id));
    const named = DEVIATIONS.flatMap(({ rules }) => rules);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });
});
