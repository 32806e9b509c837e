/** Which cell the sample of a workflow may replace without a question. */
import { expect, it } from 'vitest';
import { ArmStore } from '../../link/arm-store.ts';
import { cellOf } from '../../link/cell-merge.ts';
import { EMPTY_SIM } from '../../link/snapshot.cases.ts';
import { cellInTheWay } from './cell-in-the-way.ts';

const SAMPLES = [{ name: 'trays', objects: [] }, { name: 'assay' }];

it.each([
  ['no cell', null, null],
  ['a sample as it comes', { name: 'trays', objects: [] }, null],
  ['a sample that somebody has changed', { name: 'assay', objects: [] }, 'assay'],
  ['a cell of one’s own', { name: 'bench' }, 'bench'],
])('of %s', (_what, cell, name) => {
  const sim = { ...EMPTY_SIM, cell: cell && cellOf(cell, null) };
  expect(cellInTheWay({ ...new ArmStore().view(), sim }, SAMPLES)).toBe(name);
});

it('of an arm that is not simulated', () => {
  expect(cellInTheWay(new ArmStore().view(), SAMPLES)).toBeNull();
});
