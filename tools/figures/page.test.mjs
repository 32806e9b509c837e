/** README and pages state the figures of docs/figures/figures.json, and no others. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchmarks } from '../setup/bench.mjs';
import { figureProblems, figuresPage, readmeWith } from './page.mjs';

const read = (/** @type {string} */ path) => readFileSync(path, 'utf8');
/** @type {import('./page.mjs').Figure[]} */
const figures = JSON.parse(read('docs/figures/figures.json'));
/** Cells without the padding that a formatter adds. */
const plain = (/** @type {string} */ text) =>
  text.replace(/ +\|/g, ' |').replace(/\| -+ /g, '| --- ');

describe('figures', () => {
  it('stand in the README and in docs/figures.md as they are recorded', () => {
    const again = 'generate them again: npm run generate figures';
    expect(plain(read('docs/figures.md')), again).toBe(plain(figuresPage(figures, read)));
    expect(plain(read('README.md')), again).toBe(
      plain(readmeWith(read('README.md'), figures, read)),
    );
  });

  it('stand in the pages that quote them', () => {
    expect(figureProblems(figures, read)).toEqual([]);
    const [wrong] = figures.filter(({ quoted }) => quoted !== undefined);
    const changed = {
      .../** @type {any} */ (wrong),
      date: 'today',
      quoted: [{ page: 'README.md', text: 'x\ny' }],
    };
    expect(figureProblems([changed], read)).toHaveLength(2);
  });

  it('are measured by commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const { command } of figures) {
      const [, script, name] = /^npm run ([\w:]+)(?: ([\w-]+))?/.exec(command) ?? [];
      if (script !== undefined) expect(scripts, command).toHaveProperty([script]);
      if (script === 'bench') expect([...benchmarks().keys()]).toContain(name);
    }
  });

  it('are read from the records of others', () => {
    const [rules, hard] = figures;
    const page = (/** @type {string} */ fielded) =>
      `| documented | 3 of 4 (75 %) |\n| fielded | ${fielded} (75 %) |\n`;
    const text = (/** @type {any} */ one, /** @type {string} */ record) =>
      figuresPage([one], () => record);
    expect(text(rules, page('3 of 4'))).toContain('| 3 of 4, in both dialects: [');
    expect(() => text(rules, page('2 of 4'))).toThrow('one figure for both dialects');
    expect(text(hard, '[{"holds":true},{"holds":false}]')).toContain('| 1 of 2 goals: [');
  });
});
