import { expect, it } from 'vitest';
import type { CellPathCheck } from '../../../contract/types.generated.ts';
import { cellCheckText } from './cell-check-text.ts';

const CHECK: CellPathCheck = {
  toolpath: 'across',
  checked_against: ['the floor', 'the cell of 2 bodies'],
  findings: [],
  problem: null,
};
const BODIES = { part: 'link 3', what: 'wall', kind: 'fixture' } as const;
const finding = (problem: string) => ({
  ...{ path: '/timeline/1', cell: [], time_s: 1, depth_m: 0.01, ...BODIES, problem },
});

it('says what a toolpath meets, that it meets nothing, and that it was not checked', () => {
  expect(cellCheckText(null)).toEqual({ text: '', more: '' });
  const more = 'Checked against the floor, the cell of 2 bodies';
  expect(cellCheckText(CHECK)).toEqual({ text: 'meets nothing', more });
  const found = { ...CHECK, findings: [finding('Link 3 goes into the wall.'), finding('b')] };
  expect(cellCheckText(found)).toEqual({ text: 'Link 3 goes into the wall. (and 1 more)', more });
  const problem = 'It was not planned within 60 s';
  expect(cellCheckText({ ...CHECK, problem })).toEqual({ text: 'not checked', more: problem });
});
