/** The table of failures in docs/evidence/servo-failures.md is what the emulated servos do; and none jumps. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from './servo-arm.cases.ts';
import { failureRow, rowText } from './servo-failures.cases.ts';

/** The page without the padding of its tables. */
const PAGE = readFileSync(
  new URL('../../docs/evidence/servo-failures.md', import.meta.url),
  'utf8',
).replace(/ +/g, ' ');

describe.each(FAMILIES)('$family servos that lose the line at full speed', (family) => {
  it('stop and do not jump when it returns, as the table says', async () => {
    const row = await failureRow(family, 'the gateway is unplugged for 0.2 s', 'at full speed');
    expect(row.fault).toBe('bus');
    expect(row.travel_rad).toBeLessThan(0.25);
    expect(row.fastest_rad_s).toBeLessThan(2.2);
    expect(row.after).toBeLessThan(0.02);
    expect(PAGE, 'in docs/evidence/servo-failures.md: npm run generate servo-failures').toContain(
      rowText(row),
    );
  });
});
