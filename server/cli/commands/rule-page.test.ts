/** The HTML page of a conformance run. */
import { expect, it } from 'vitest';
import type { RuleResult } from '../../../conformance/rule-result.ts';
import { rulePage } from './rule-page.ts';

function result(id: string, outcome: RuleResult['outcome'], reason = ''): RuleResult {
  const statement = `${id} <script>says</script>`;
  const rule = { id, statement, requirements: ['R1'], routes: [], check: async () => {} };
  return { rule, outcome, reason };
}

const page = rulePage(
  [
    result('lock/held', 'held'),
    result('run/skipped', 'skipped', 'needs "motion" & time'),
    result('run/broken', 'broken', '<img src=x onerror=alert(1)>'),
  ],
  'http://127.0.0.1:8080/"><b>',
);

it('lists broken rules first, and the score', () => {
  expect(page.indexOf('run/broken')).toBeLessThan(page.indexOf('run/skipped'));
  expect(page.indexOf('run/skipped')).toBeLessThan(page.indexOf('lock/held'));
  expect(page).toContain('1 of 2 rules held (50 %), 1 skipped');
});

it('escapes all text and fetches nothing', () => {
  expect(page).not.toMatch(/<script|<img|<b>|https?:\/\/(?!127)/);
  expect(page).toContain('&lt;script&gt;says');
  expect(page).toContain('needs &quot;motion&quot; &amp; time');
  expect(page).toContain("default-src 'none'");
});
