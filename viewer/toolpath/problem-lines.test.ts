import { expect, it } from 'vitest';
import { withLines } from './problem-lines.ts';

const TEXT = `{
  "waypoints": [
    {
      "joints": [0, 9]
    }
  ]
}
`;
const AT = { path: '/waypoints/0/joints/1', problem: 'must be at most 3' };

it('says at which line of a file a problem is, or that of what it is missing from', () => {
  const missing = { path: '/waypoints/0/label_id', problem: 'is missing' };
  const whole = { path: '', problem: 'is not a toolpath' };
  expect(withLines(TEXT, [AT, missing, whole])).toEqual([
    { ...AT, line: 4 },
    { ...missing, line: 3 },
    whole,
  ]);
});

it('follows the toolpath into a record', () => {
  expect(withLines(`{\n"id": 1,\n"toolpath": ${TEXT}}`, [AT])).toEqual([{ ...AT, line: 6 }]);
});

it('says no line of a text that has one, or is no JSON', () => {
  expect(withLines(JSON.stringify(JSON.parse(TEXT)), [AT])).toEqual([AT]);
  expect(withLines('{\n', [AT])).toEqual([AT]);
});
