import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE, tableOf, withMeasured } from './figures-page.mjs';

const plans = (/** @type {number[]} */ ...values) =>
  values.map((value) => new Map([['200 tasks, median (ms)', value]]));
const MEASURED = new Map([['workflow', [plans(40, 10, 20), plans(18, 99, 15)]]]);

describe('the table of measured figures', () => {
  it('has medians with their ratio to the first column, of what was run', () => {
    expect(tableOf(MEASURED, 'abc').slice(2)).toEqual([
      '| plan of a workflow of 200 tasks | median 18 ms | 0.90 | `npm run bench workflow` |',
    ]);
  });

  it('has no ratio to a commit that lacks the figure', () => {
    const [row] = tableOf(new Map([['workflow', [[], plans(18)]]]), 'abc').slice(2);
    expect(row).toContain('| median 18 ms | – |');
  });

  it('says which figure a benchmark prints no more', () => {
    const gone = new Map([['workflow', [plans(1), [new Map([['200 plans (ms)', 1]])]]]]);
    expect(() => tableOf(gone, 'abc')).toThrow('The benchmark workflow prints no "200 tasks');
  });

  it('takes its place in the page, again and again', () => {
    const page = readFileSync(PAGE, 'utf8');
    const once = withMeasured(page, ['| one |']);
    expect(withMeasured(once, ['| two |'])).toBe(once.replace('| one |', '| two |'));
    expect(() => withMeasured('no place', [])).toThrow('docs/figures.md lacks');
  });
});
