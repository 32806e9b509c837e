import { describe, expect, it } from 'vitest';
import { claimsIn } from './claims.mjs';

/** @type {Record<string, string>} */
const FILES = {
  'server/a.test.ts': "it('holds it', () => {});",
  'server/a.ts': 'export interface Port {}\ninterface Inner {}',
};
const checks = {
  rules: ['words', 'new rule'],
  read: (/** @type {string} */ path) => FILES[path] ?? null,
  linterTests: "describe('words', () => {});",
  compilerOptions: { strict: true, loose: false },
  biomeRules: { noConsole: 'error', useTemplate: 'off' },
};
const problems = (/** @type {string} */ holder) =>
  claimsIn(`Text.\n\n1. A claim that\n   goes on. Held by: ${holder}\n`, checks).found.map(
    (one) => one.problem,
  );

describe('claims', () => {
  it.each([
    'arch-lint "words".',
    'test `server/a.test.ts` "holds it".',
    'type `server/a.ts#Port`.',
    'compiler "strict", biome "noConsole".',
  ])('accepts %s', (holder) => {
    expect(problems(holder)).toEqual([]);
  });

  it.each([
    ['care and attention.', 'names no check'],
    ['arch-lint "sentences".', 'no rule "sentences"'],
    ['arch-lint "new rule".', "describe('new rule')"],
    ['test `server/b.test.ts` "holds it".', 'there is no server/b.test.ts'],
    ['test `server/a.test.ts` "holds".', 'has no test "holds"'],
    ['type `server/a.ts#Inner`.', 'does not export Inner'],
    ['compiler "loose".', 'does not set "loose"'],
    ['biome "useTemplate".', 'no rule "useTemplate"'],
    ['arch-lint "words", test `server/c.test.ts` "x".', 'there is no server/c.test.ts'],
  ])('reports %s', (holder, wanted) => {
    expect(problems(holder)).toEqual([expect.stringContaining(wanted)]);
  });

  it('reports a claim without checks, with its line', () => {
    const { checked, found } = claimsIn(
      '# A\n\n1. Bare.\n2. Held by: arch-lint "words".\n',
      checks,
    );
    expect(checked).toBe(2);
    expect(found).toEqual([{ offset: 5, problem: expect.stringContaining('claim 1: names no') }]);
  });
});
