import { describe, expect, it } from 'vitest';
import { functionsOf } from './functions.mjs';
import {
  fileSizes,
  functionSizes,
  lineWidths,
  parameterCounts,
  percentile95,
  productFiles,
} from './sizes.mjs';
import { readSource } from './source.mjs';
import { treeOf } from './tree.mjs';

const lines = (/** @type {number} */ count) => 'f();\n'.repeat(count);
/** @param {string} text */
const functions = (text) => functionsOf(readSource('bridge/a.ts', text));

describe('file sizes', () => {
  it('accepts 500 lines and reports 501', () => {
    expect(fileSizes(treeOf({ 'bridge/a.ts': lines(500) })).places.size).toBe(0);
    const { places } = fileSizes(treeOf({ 'bridge/a.ts': lines(501) }));
    expect(places.get('bridge/a.ts')?.value).toBe(501);
  });

  it('ignores generated files', () => {
    const { checked } = fileSizes(treeOf({ 'contract/a.generated.ts': lines(900) }));
    expect(checked).toBe(0);
  });
});

describe('product files', () => {
  const tree = (/** @type {number} */ count) =>
    treeOf({
      'server/a.test.ts': '',
      'tools/a.mjs': '',
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`server/f${at}.ts`, ''])),
    });

  it('accepts 550 files and reports 551, not counting tests and tools', () => {
    expect(productFiles(tree(550))).toEqual({ checked: 550, problems: [] });
    expect(productFiles(tree(551)).problems).toHaveLength(1);
  });
});

describe('function sizes', () => {
  const body = (/** @type {number} */ count) => `{\n${lines(count - 2)}}`;

  it.each([
    ['a declaration', (/** @type {string} */ code) => `function name() ${code}`],
    ['an arrow', (/** @type {string} */ code) => `const name = () => ${code};`],
    ['a method', (/** @type {string} */ code) => `class A { name() ${code} }`],
    ['a property', (/** @type {string} */ code) => `const a = { name: function () ${code} };`],
  ])('measures %s under its name', (_, wrap) => {
    const { places } = functionSizes(treeOf({ 'bridge/a.ts': wrap(body(61)) }));
    expect(places.get('bridge/a.ts#name')?.value).toBe(61);
    expect(functionSizes(treeOf({ 'bridge/a.ts': wrap(body(40)) })).places.size).toBe(0);
  });

  it('ignores braces in strings, templates and regular expressions', () => {
    const text = `function a() { return '}' + \`}\${'{'}\` + /[}]/.source; }\nfunction b() {}`;
    expect(functions(text).map(({ name, length }) => [name, length])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('measures each test but not a test group', () => {
    const text = `describe('x', () => {\n${lines(80)}it('y', () => {\n${lines(70)}});\n});`;
    expect(functions(text).map(({ name }) => name)).toEqual(['in it']);
  });

  it('treats a function of test groups as a group', () => {
    const text = `export function cases(make) {\n  describe('x', () => {\n${lines(80)}});\n}`;
    expect(functions(text)).toEqual([]);
  });

  it('limits the 95th percentile', () => {
    const nine = Array.from({ length: 9 }, (_, i) => `function f${i}() ${body(50)}`);
    const { places } = functionSizes(treeOf({ 'bridge/a.ts': nine.join('\n') }));
    expect(places.get('95th percentile')?.value).toBe(50);
  });
});

describe('percentile', () => {
  it('is exceeded by 5 %', () => {
    expect(percentile95(Array.from({ length: 100 }, (_, i) => i + 1))).toBe(95);
    expect(percentile95([7])).toBe(7);
  });
});

describe('parameters', () => {
  const count = (/** @type {string} */ path, /** @type {string} */ text) =>
    parameterCounts(treeOf({ [path]: text })).places.size;

  it('accepts three and reports four', () => {
    expect(count('server/a.ts', 'function f(a, b, c) {}')).toBe(0);
    expect(count('server/a.ts', 'function f(a, b, c, d) {}')).toBe(1);
    expect(count('server/a.ts', 'const f = (a, b, c, ...d) => a;')).toBe(1);
  });

  it('allows kernels eight', () => {
    expect(count('physics/math/a.ts', 'function f(a, b, c, d, e, f, g, h) {}')).toBe(0);
    expect(count('physics/math/a.ts', 'function f(a, b, c, d, e, f, g, h, i) {}')).toBe(1);
  });
});

describe('line widths', () => {
  it('counts characters, not bytes', () => {
    expect(lineWidths(treeOf({ 'bridge/a.ts': `// ${'é'.repeat(97)}` })).places.size).toBe(0);
    expect(lineWidths(treeOf({ 'bridge/a.ts': `// ${'é'.repeat(98)}` })).places.size).toBe(1);
  });
});
