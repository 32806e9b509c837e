import { describe, expect, it } from 'vitest';
import { REQUIREMENTS, sectionOf } from '../contract/requirements.ts';
import { ROUTES } from '../contract/routes.ts';
import { RULES } from './catalogue.ts';
import { UNPROVEN } from './unproven.ts';

const requirements = Object.keys(REQUIREMENTS);
const proven = new Set(RULES.flatMap((rule) => rule.requirements));
const excused = new Set(Object.keys(UNPROVEN));

describe('rules', () => {
  it('have unique names', () => {
    expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length);
  });

  it('cover every endpoint, not counting the rule that calls all of them', () => {
    const particular = RULES.filter((rule) => rule.id !== 'http/session-needed');
    const named = new Set(particular.flatMap((rule) => rule.routes));
    expect(ROUTES.map((row) => row.id).filter((id) => !named.has(id))).toEqual([]);
  });

  it('have 194 requirements: A1 to A175, H1 to H19, each with its section', () => {
    const numbered = (letter: string, length: number) =>
      Array.from({ length }, (_, i) => `${letter}${i + 1}`);
    expect(requirements).toEqual([...numbered('A', 175), ...numbered('H', 19)]);
    const expected = [/^§[1-9](\.\d+)?$/, /^webhooks §[1-4](\.\d)?$/] as const;
    for (const id of requirements)
      expect(sectionOf(id)).toMatch(expected[id.startsWith('A') ? 0 : 1]);
  });

  it('prove every requirement or list it as unproven', () => {
    expect(requirements.filter((id) => !proven.has(id) && !excused.has(id))).toEqual([]);
  });

  it('list no proven or unknown requirement as unproven', () => {
    expect([...excused].filter((id) => proven.has(id))).toEqual([]);
    expect([...proven, ...excused].filter((id) => !requirements.includes(id))).toEqual([]);
  });

  it('need motion if they start one', () => {
    const moving = ['run', 'home', 'goTo'];
    const free = RULES.filter((rule) => rule.needs?.motion !== true);
    for (const rule of free) {
      const text = rule.check.toString();
      const starts = moving.filter((call) => text.includes(`does('${call}'`));
      expect([rule.id, starts]).toEqual([rule.id, []]);
    }
  });

  it('give the reasons as text', () => {
    for (const reason of Object.values(UNPROVEN))
      expect(reason.split(' ').length).toBeGreaterThan(5);
  });
});
