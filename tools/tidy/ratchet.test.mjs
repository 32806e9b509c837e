import { describe, expect, it } from 'vitest';
import { compare, lowered } from './ratchet.mjs';
import { routesHaveRules } from './rows.mjs';
import { treeOf } from './tree.mjs';

/** @param {Record<string, number>} values */
const places = (values) =>
  new Map(Object.entries(values).map(([place, value]) => [place, { value, say: `is ${value}` }]));

describe('ratchet', () => {
  it('is content with what is written down', () => {
    expect(compare({ a: 5 }, places({ a: 5 }))).toEqual([]);
  });

  it('refuses worse and new', () => {
    expect(compare({ a: 5 }, places({ a: 6, b: 1 }))).toEqual(['a: is 6', 'b: is 1']);
  });

  it('refuses better until it is written down', () => {
    expect(compare({ a: 5, b: 1 }, places({ a: 4 }))).toHaveLength(2);
    expect(lowered({ a: 5, b: 1 }, places({ a: 4 }))).toEqual({ a: 4 });
  });

  it('never writes a larger number or a new place', () => {
    expect(lowered({ a: 5 }, places({ a: 9, b: 1 }))).toEqual({ a: 5 });
  });

  it('takes a new rule as it stands', () => {
    expect(lowered(undefined, places({ a: 9 }))).toEqual({ a: 9 });
  });
});

describe('routes have rules', () => {
  const rows = "export const rows = [{ id: 'goTo', method: 'POST', path: '/x' }, { id: 'no' }];";

  it('counts rows and finds the ones without a rule', () => {
    const { checked, places: bare } = routesHaveRules(treeOf({ 'contract/routes/arm.ts': rows }));
    expect([checked, [...bare.keys()]]).toEqual([1, ['goTo']]);
  });

  it('takes a rule that names the row', () => {
    const rule = "export const rule = { id: 'r1', routes: ['goTo'] };";
    const tree = treeOf({ 'contract/routes.ts': rows, 'contract/rules/a.ts': rule });
    expect(routesHaveRules(tree).places.size).toBe(0);
  });
});
