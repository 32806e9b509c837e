import { expect, test } from 'vitest';
import { waitingGroups } from './workflow-inspector.ts';

test('says once what many waiting tasks have in common', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const waiting = ids.map((task_id) => ({ task_id, reasons: ['the run is pausing'] }));
  const other = { task_id: 'f', reasons: ['no plate', 'no space'] };
  expect(waitingGroups([...waiting, other])).toEqual([
    ['the run is pausing', ids],
    ['no plate; no space', ['f']],
  ]);
});
