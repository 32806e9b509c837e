/**
 * docs/evidence/conformance.md matches the catalogue: the test formats it again with every rule held.
 * The rule runs prove the outcomes.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../conformance/catalogue.ts';
import { UNPROVEN } from '../../conformance/unproven.ts';
import { conformancePage } from './page.mjs';

/** @type {Record<string, 'held'>} */
const HELD = Object.fromEntries(RULES.map(({ id }) => [id, 'held']));

describe('docs/evidence/conformance.md', () => {
  it('is what npm run generate conformance writes when every rule holds in both dialects', () => {
    const outcomes = { documented: HELD, fielded: HELD };
    expect(readFileSync('docs/evidence/conformance.md', 'utf8')).toBe(
      conformancePage({ rules: RULES, outcomes, unproven: UNPROVEN }),
    );
  });

  it('names a rule that does not hold, in each dialect', () => {
    const [{ id, statement } = { id: '', statement: '' }] = RULES;
    /** @type {Record<string, Record<string, 'held' | 'broken'>>} */
    const outcomes = { documented: HELD, fielded: { ...HELD, [id]: 'broken' } };
    const page = conformancePage({ rules: RULES, outcomes, unproven: UNPROVEN });
    const held = `${RULES.length - 1} of ${RULES.length}`;
    expect(page).toContain(`| fielded | ${held} |`);
    expect(page).toContain(`| \`${id}\` | ${statement} | held | broken |`);
  });
});
