/**
 * Fuzzing of every request body with values generated from its schema: never a 5xx, no change after
 * a refusal, and a JSON pointer in every refusal. A failure prints its seed.
 * @module-tag ci
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPath, ROUTES, type RouteRow } from '../../../contract/routes.ts';
import { type ApiFixture, smallToolpath, startApiFixture } from './api-fixture.cases.ts';
import { arbitraryBody, checkReply } from './fuzzing.cases.ts';

const RUNS = 4;
const rows = (ROUTES as readonly RouteRow[]).filter((row) => row.body !== undefined);
/** Bodies under /sim/v1 are tested in sim-fuzz.test.ts. */
const fuzzed = rows.filter((row) => !row.path.startsWith('/sim/'));

let fixture: ApiFixture;
let toolpath_id = 0;
beforeAll(async () => {
  fixture = await startApiFixture({ dialect: 'documented' });
  const body = { name: 'mine', toolpath: smallToolpath() };
  const saved = await fixture.send('POST', '/api/v1/toolpaths', { as: fixture.admin, body });
  toolpath_id = (saved.body as { toolpath: { id: number } }).toolpath.id;
  await fixture.send('POST', '/api/v1/controls/lock', { as: fixture.admin });
});
afterAll(() => fixture.close());

function pathOf(row: RouteRow): string {
  const known: { readonly [name: string]: number } = { toolpath_id, user_id: fixture.ada.id };
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return fillPath(row.path, Object.fromEntries(names.map((name) => [name, known[name] ?? 1])));
}

/** Everything that a call could have changed, except the joints, which telemetry rounds. */
async function state(): Promise<string> {
  const paths = [
    '/api/v1/users',
    `/api/v1/users/${fixture.ada.id}/tokens`,
    '/api/v1/toolpaths',
    `/api/v1/toolpaths/${toolpath_id}`,
    '/api/v1/controls/lock',
    '/api/v1/data/snapshot',
  ];
  const got = await Promise.all(
    paths.map((path) => fixture.send('GET', path, { as: fixture.admin })),
  );
  return got.map(({ text }) => text).join('\n');
}

const quickly = { numRuns: RUNS, interruptAfterTimeLimit: 4000, markInterruptAsFailure: false };

describe.each(fuzzed.map((row) => [row.id, row] as const))('%s', (_id, row) => {
  it('handles valid and invalid bodies generated from its schema', async () => {
    const property = fc.asyncProperty(arbitraryBody(row), async (body) => {
      await checkReply(fixture, { row, path: pathOf(row), body, state });
      // Stops a motion that was started, and everything that was loaded or scheduled.
      if (row.command) await calmDown();
    });
    await fc.assert(property, quickly);
  });
});

/** Returns the robot to ready, with the lock held by the admin. */
async function calmDown(): Promise<void> {
  const { state: now } = fixture.twin.snapshot()['control'] as { state: string };
  if (now === 'ready') return;
  const send = (path: string) => fixture.send('POST', `/api/v1/${path}`, { as: fixture.admin });
  if (now === 'running') await send('controls/pause');
  await fixture.twin.until('paused', 2);
  await send('controls/cancel');
  await fixture.twin.until('ready', 60);
}

it('leaves the twin unchanged', async () => {
  await calmDown();
  const got = await fixture.send('GET', '/api/v1/data/snapshot', { as: fixture.admin });
  expect(got.body).toMatchObject({ snapshot: { control: { state: 'ready' } } });
});
