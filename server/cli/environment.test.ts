/** Environment variables that are empty, switched off or misspelled. */

import { expect, it } from 'vitest';
import { serveOptions } from './definitions/serve.ts';
import { normalizeEnvironment } from './environment.ts';
import { printable } from './printable.ts';

function normalize(given: Record<string, string>) {
  const environment = { ...given };
  const warnings = normalizeEnvironment(environment, serveOptions);
  return { environment, warnings };
}

it('ignores an empty variable', () => {
  expect(normalize({ ARMTWIN_TOKEN: '', OTHER: '' }).environment).toEqual({ OTHER: '' });
});

it.each(['0', 'false', 'No', 'off'])('treats a switch set to %s as unset', (ARMTWIN_NO_SIM) => {
  expect(normalize({ ARMTWIN_NO_SIM }).environment).toEqual({});
});

it('keeps a switch that is on, and other values', () => {
  const given = { ARMTWIN_NO_SIM: 'true', ARMTWIN_PORT: '0', ARMTWIN_DISCOVER: '1' };
  expect(normalize(given)).toEqual({ environment: given, warnings: [] });
});

it('warns about a misspelled name, and about no other', () => {
  expect(normalize({ ARMTWIN_PROT: '1', ARMTWIN_MAIN: 'x', PROT: '2' }).warnings).toEqual([
    'Unknown variable ARMTWIN_PROT. Did you mean ARMTWIN_PORT?',
  ]);
});

it.each([
  ['cube “1” ä', 'cube “1” ä'],
  ['\u001b[31mred\nproblem: x\u0000', '\\u001b[31mred\\u000aproblem: x\\u0000'],
  ['a\u202eb\u2028c\u009b', 'a\\u202eb\\u2028c\\u009b'],
])('shows %j as a line that controls no terminal', (line, shown) => {
  expect(printable(line)).toBe(shown);
});
