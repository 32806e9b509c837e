/**
 * Every body that the interface takes, made from its own schema: fitting, with one fault, and
 * anything at all. Never a 5xx, never a change after a refusal, and every refusal names its place
 * (facts of reliability). The seed of a failure is printed.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPath, ROUTES, type RouteRow } from '../../contract/routes.ts';
import { anyBody, judged } from './fuzzing.cases.ts';
import { type Household, openHousehold, smallToolpath } from './household.cases.ts';

const RUNS = 12;
const rows = (ROUTES as readonly RouteRow[]).filter((row) => row.body !== undefined);
/** The bodies of the hand on the twin have a file of their own. */
const fuzzed = rows.filter((row) => !row.path.startsWith('/sim/'));

let house: Household;
let toolpath_id = 0;
beforeAll(async () => {
  house = await openHousehold({ dialect: 'documented' });
  const body = { name: 'mine', toolpath: smallToolpath() };
  const saved = await house.send('POST', '/api/v1/toolpaths', { as: house.admin, body });
  toolpath_id = (saved.body as { toolpath: { id: number } }).toolpath.id;
  await house.send('POST', '/api/v1/controls/lock', { as: house.admin });
});
afterAll(() => house.close());

function pathOf(row: RouteRow): string {
  const known: { readonly [name: string]: number } = { toolpath_id, user_id: house.ada.id };
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return fillPath(row.path, Object.fromEntries(names.map((name) => [name, known[name] ?? 1])));
}

/** Everything that a call could have changed, but for the joints, which telemetry rounds. */
async function state(): Promise<string> {
  const paths = [
    '/api/v1/users',
    `/api/v1/users/${house.ada.id}/tokens`,
    '/api/v1/toolpaths',
    `/api/v1/toolpaths/${toolpath_id}`,
    '/api/v1/controls/lock',
    '/api/v1/data/snapshot',
  ];
  const got = await Promise.all(paths.map((path) => house.send('GET', path, { as: house.admin })));
  return got.map(({ text }) => text).join('\n');
}

const quickly = { numRuns: RUNS, interruptAfterTimeLimit: 4000, markInterruptAsFailure: false };

describe.each(fuzzed.map((row) => [row.id, row] as const))('%s', (_id, row) => {
  it('stands bodies made from its schema, fitting and spoilt', async () => {
    const property = fc.asyncProperty(anyBody(row), async (body) => {
      await judged(house, { row, path: pathOf(row), body, state });
      // A motion that was begun ends, and so does whatever was loaded or scheduled.
      if (row.command) await calmDown();
    });
    await fc.assert(property, quickly);
  });
});

/** Brings the robot back to ready with the lock in the admin's hand. */
async function calmDown(): Promise<void> {
  const { state: now } = house.twin.snapshot()['control'] as { state: string };
  if (now === 'ready') return;
  const send = (path: string) => house.send('POST', `/api/v1/${path}`, { as: house.admin });
  if (now === 'running') await send('controls/pause');
  await house.twin.until('paused', 2);
  await send('controls/cancel');
  await house.twin.until('ready', 60);
}

it('is the twin it was, after all', async () => {
  await calmDown();
  const got = await house.send('GET', '/api/v1/data/snapshot', { as: house.admin });
  expect(got.body).toMatchObject({ snapshot: { control: { state: 'ready' } } });
});
