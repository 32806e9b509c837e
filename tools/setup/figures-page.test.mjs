import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE, tableOf, withMeasured } from './figures-page.mjs';

const plans = (/** @type {number[]} */ ...values) =>
  values.map((value) => new Map([['200 tasks, median (ms)', value]]));
const MEASURED = new Map([['workflow', [plans(40, 10, 20), plans(18, 99, 15)]]]);

describe('the table of measured figures', () => {
  it('has medians with their ratio to the first column, of what was run', () => {
    expect(tableOf(MEASURED, 'abc').rows.slice(2)).toEqual([
      '| plan of a workflow of 200 tasks | median 18 ms | 0.90 | `npm run bench workflow` |',
    ]);
  });

  it('has no ratio to a commit that lacks the figure', () => {
    const [row] = tableOf(new Map([['workflow', [[], plans(18)]]]), 'abc').rows.slice(2);
    expect(row).toContain('| median 18 ms | – |');
  });

  it('says which figure a benchmark prints no more', () => {
    const gone = new Map([['workflow', [plans(1), [new Map([['200 plans (ms)', 1]])]]]]);
    expect(tableOf(gone, 'abc').missing).toEqual(['200 tasks, median (ms)']);
  });

  it('takes its place in the page, again and again', () => {
    const page = readFileSync(PAGE, 'utf8');
    const once = withMeasured(page, ['| one |']);
    expect(withMeasured(once, ['| two |'])).toBe(once.replace('| one |', '| two |'));
    expect(() => withMeasured('no place', [])).toThrow('docs/figures.md lacks');
  });
});

describe('the other figures of the page', () => {
  const page = readFileSync(PAGE, 'utf8');
  const reliability = readFileSync('docs/evidence/reliability.md', 'utf8');
  const conformance = readFileSync('docs/evidence/conformance.md', 'utf8');

  it('are those of the pages that measure them', () => {
    const held = [...conformance.matchAll(/^\| (?:documented|fielded) \| (\d+ of \d+) /gm)];
    const [goals] = /\d+ of \d+(?= goals)/.exec(reliability) ?? [];
    const [mutants] = /\d+ of \d+ mutants \([\d.]+ %\)/.exec(reliability) ?? [];
    for (const [, rules] of held) expect(page).toContain(`| ${rules}, in both dialects`);
    expect(held.length).toBe(2);
    expect(page).toContain(`| ${goals} goals: `);
    expect(page).toContain(`| ${mutants}: `);
  });

  it('count each goal that has a row', () => {
    const checks = reliability.split('## Noisy neighbours')[0] ?? '';
    const rows = checks.match(/^\| `[\w-]+` \|/gm) ?? [];
    expect(reliability).toContain(`\n${rows.length} of ${rows.length} goals were reached`);
  });
});
