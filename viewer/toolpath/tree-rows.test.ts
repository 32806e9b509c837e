import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { OpenedToolpath } from './build-messages.ts';
import { openToolpath } from './open-toolpath.ts';
import type { BranchChoices } from './timed-path.ts';
import { foldedRows, isRowShown, treeRows } from './tree-rows.ts';

const IF = '/timeline/3/timeline/5';
const RED = `${IF}/branches/0`;
const WITHIN = `${RED}/timeline/0`;

/** The sorter, on a path through some branches. */
function sorter(choices: BranchChoices) {
  const url = new URL('../../fixtures/toolpaths/sorter.json', import.meta.url);
  const outcome = openToolpath(readFileSync(url, 'utf8'));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  const { toolpath, notes, preview } = outcome.value;
  const path = preview.path(choices);
  const opened: OpenedToolpath = {
    ...{ kind: 'opened', toolpath, notes, findings: [], checkedAgainst: [], path, took_ms: 0 },
  };
  return { path, rows: treeRows({ opened, path }) };
}

const plain = sorter({});
const red = sorter({ [IF]: 0 });
const rowAt = (at: string, { rows } = plain) => rows.find((row) => row.at === at)!;

it('has each row with the rows that it is in, and marks the branches that are taken', () => {
  expect(rowAt(WITHIN).parents).toEqual(['/timeline/3', IF, RED]);
  expect([rowAt(RED).isTaken, rowAt(RED, red).isTaken]).toEqual([false, true]);
  expect([rowAt(`${IF}/else`).isTaken, rowAt(`${IF}/else`, red).isTaken]).toEqual([true, false]);
});

it('folds the branches that the path does not take', () => {
  expect(foldedRows(plain.rows, new Map(), plain.path).has(RED)).toBe(true);
  expect(foldedRows(red.rows, new Map(), red.path).has(RED)).toBe(false);
});

it('keeps the folds of a user; those of branches until another path takes others', () => {
  const folds = new Map([
    [RED, { isFolded: false, path: plain.path }],
    [IF, { isFolded: true, path: plain.path }],
  ]);
  const folded = foldedRows(plain.rows, folds, plain.path);
  expect([folded.has(RED), folded.has(IF)]).toEqual([false, true]);
  const other = sorter({});
  const after = foldedRows(other.rows, folds, other.path);
  expect([after.has(RED), after.has(IF)]).toEqual([true, true]);
});

it('shows what is in no folded row, and of a search what fits wherever it is', () => {
  const folded = foldedRows(plain.rows, new Map(), plain.path);
  expect(isRowShown(rowAt(WITHIN), '', folded)).toBe(false);
  expect(isRowShown(rowAt(RED), '', folded)).toBe(true);
  expect(isRowShown(rowAt(WITHIN), ` ${rowAt(WITHIN).text.toUpperCase()} `, folded)).toBe(true);
  expect(isRowShown(rowAt(RED), 'no such row', new Set())).toBe(false);
});
