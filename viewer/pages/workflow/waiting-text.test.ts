import { expect, test } from 'vitest';
import { waitingGroups } from './waiting-text.ts';

test('says once what many waiting tasks have in common', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const of = (task_id: string, reasons: string[]) => ({ task_id, reasons, blocked_by: [] });
  const waiting = ids.map((task_id) => of(task_id, ['the run is pausing']));
  const other = of('f', ['no plate', 'no space']);
  expect(waitingGroups([...waiting, other])).toEqual([
    ['the run is pausing', ids],
    ['no plate; no space', ['f']],
  ]);
});

test('says what a task waits for in the end, and what would free it', () => {
  const nothing = { instrument_id: null, labware_id: null, task_id: null, since_s: null };
  const text = 'washer does wash, 12 s longer than planned since 5 s';
  const blocked_by = [{ ...nothing, text, freed_by: 'its end, expected at 89 s' }];
  const waiting = [{ task_id: 'read', reasons: ['p is still in washer slot 1'], blocked_by }];
  expect(waitingGroups(waiting)).toEqual([
    [`${text}; it waits for its end, expected at 89 s`, ['read']],
  ]);
});
