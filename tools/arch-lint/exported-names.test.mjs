import { describe, expect, it } from 'vitest';
import { oneMeaning } from './exported-names.mjs';
import { treeOf } from './tree.mjs';

const TWICE = {
  'server/a.ts': 'export interface Place {}',
  'viewer/b.ts': 'export type Place = string;',
};

/** @param {Record<string, string>} texts @param {Record<string, string>} [shared] */
const problems = (texts, shared = {}) => oneMeaning(treeOf(texts), shared).problems;

describe('one meaning a name', () => {
  it('reports a name that two product files export', () => {
    const [problem] = problems(TWICE);
    expect(problem).toMatch(/^Place is exported by server\/a\.ts, viewer\/b\.ts; rename/);
  });

  it.each([
    ['export function f() {}', 'export const f = 1;'],
    ['export class C {}', 'export enum C { A }'],
  ])('reports functions, constants, classes and enums: %s', (one, other) => {
    expect(problems({ 'physics/a.ts': one, 'bridge/b.ts': other })).toHaveLength(1);
  });

  it('accepts overloads, re-exports, tests and internal names', () => {
    const texts = {
      'server/a.ts': 'export function f(a: 1): 1;\nexport function f(a: 2): 2;\nconst x = 1;',
      'server/b.ts': "export { f } from './a.ts';\nexport * from './a.ts';\nconst x = 1;",
      'server/a.test.ts': 'export function f() {}',
      'tools/a.mjs': 'export function f() {}',
    };
    expect(problems(texts)).toEqual([]);
  });

  it('accepts a listed name with a reason, and reports stale or empty entries', () => {
    expect(problems(TWICE, { Place: 'wire type and its view' })).toEqual([]);
    expect(problems(TWICE, { Place: ' ' })).not.toEqual([]);
    expect(problems({}, { Place: 'a reason' })).toHaveLength(1);
  });
});
