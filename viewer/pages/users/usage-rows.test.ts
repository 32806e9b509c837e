import { expect, test } from 'vitest';
import type { ShareUsage, User } from '../../../contract/types.generated.ts';
import { USAGE_HEADS, usageRows } from './usage-rows.ts';

const MIB = 1024 * 1024;
const share = (
  name: string,
  alone: number,
  used: Readonly<Record<string, number>>,
): ShareUsage => ({
  ...{ share: name, unit: `of ${name}`, total: 2 * alone, alone },
  used: Object.values(used).reduce((sum, one) => sum + one, 0),
  owners: Object.entries(used).map(([id, one]) => ({
    user_id: id === 'none' ? null : Number(id),
    used: one,
  })),
});
const users: User[] = [
  { id: 1, email: 'ada@example.org', role: 'admin' },
  { id: 2, email: 'bob@example.org', role: 'user' },
];

test('has a row for each who uses something, the fullest share first', () => {
  const usage = [
    share('stored_on_disk', 96 * MIB, { 1: 12.25 * MIB, 2: 48 * MIB }),
    share('live_runs', 100, { 1: 90 }),
    share('connections', 400, { 1: 3, 9: 1 }),
    share('pending_deliveries', 1000, {}),
  ];
  expect(USAGE_HEADS).toEqual([
    'Stored',
    'Runs on',
    'Connections',
    'Deliveries that wait',
    'Others',
  ]);
  expect(usageRows(usage, users)).toEqual([
    {
      ...{ name: 'ada@example.org', fullness: 0.9 },
      cells: ['12.3 of 96.0 MiB', '90 of 100', '3 of 400', '', ''],
    },
    { name: 'bob@example.org', fullness: 0.5, cells: ['48.0 of 96.0 MiB', '', '', '', ''] },
    { name: 'User 9', fullness: 1 / 400, cells: ['', '', '1 of 400', '', ''] },
  ]);
});

test('names the other shares by their unit, and not what drops out by itself', () => {
  const usage = [
    share('planning_queue', 100, { 2: 7 }),
    share('stored_runs', 200, { 2: 200 }),
    share('password_queue', 32, { none: 5 }),
  ];
  expect(usageRows(usage, users).map(({ name, cells }) => [name, cells.at(-1)])).toEqual([
    ['bob@example.org', 'of planning_queue: 7'],
    ['No user', 'of password_queue: 5'],
  ]);
});

test('is empty where nobody uses anything', () => {
  expect(usageRows([share('live_runs', 100, {})], users)).toEqual([]);
});
