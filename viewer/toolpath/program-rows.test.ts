import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { conditionText } from '../../contract/condition-text.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { programRows } from './program-rows.ts';

const url = new URL('../../fixtures/toolpaths/sorter.json', import.meta.url);
const sorter = JSON.parse(readFileSync(url, 'utf8')) as Toolpath;
const rows = programRows(sorter);

it('describes each action, nested as in the toolpath', () => {
  const lines = rows
    .slice(0, 9)
    .map(({ depth, text, detail }) => `${'  '.repeat(depth)}${text} (${detail})`);
  expect(lines).toEqual([
    'Start at (home)',
    'Wait until base input 0 is on ()',
    'Base output 1 (on)',
    'Grid, 3 × 2 (6 cells)',
    '  90 mm above cell ()',
    '  To cell (max 150 mm/s)',
    '  Tool output 0 (on)',
    '  Wait ()',
    '  90 mm above cell (max 150 mm/s)',
  ]);
});

it('offers every branch and the else branch', () => {
  const branches = rows.filter(({ branch }) => branch?.of === '/timeline/3/timeline/5');
  expect(branches.map(({ text }) => text)).toEqual([
    'tool analog input 0 is above 6',
    'base input 3 is on',
    'Else continue',
  ]);
  expect(branches.map(({ branch }) => branch?.number)).toEqual([0, 1, -1]);
});

it('has one row for each action, and the routines once', () => {
  expect(new Set(rows.map(({ at }) => at)).size).toBe(rows.length);
  expect(rows.filter(({ kind }) => kind === 'routine').map(({ text }) => text)).toEqual([
    'put red',
    'put blue',
    'let go',
  ]);
});

it('names both ends of a range', () => {
  const io = { location: 'base', type: 'analog', index: 1 } as const;
  const thresholds = { lower: 2, upper: 6 };
  expect(conditionText({ type: 'output-test', io, operator: 'outside', thresholds })).toBe(
    'base analog output 1 is outside 2 to 6',
  );
});
