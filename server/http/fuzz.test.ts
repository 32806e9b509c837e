/**
 * Every body that the interface takes, made from its own schema: fitting, with one fault, and
 * anything at all. Never a 5xx, never a change after a refusal, and every refusal names its place
 * (facts of reliability). The seed of a failure is printed.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPath, ROUTES, type RouteRow } from '../../contract/routes.ts';
import { type SchemaId, schemaOf } from '../../contract/schemas.ts';
import { validate } from '../../contract/validator.ts';
import {
  errorOf,
  type Got,
  type Household,
  openHousehold,
  smallToolpath,
} from './household.cases.ts';
import { bodies, spoiltBodies } from './schema-arbitrary.cases.ts';

const RUNS = 12;
const rows = (ROUTES as readonly RouteRow[]).filter((row) => row.body !== undefined);
/** Time and the world may be moved only by hand here: a fuzzed clock would end all sessions. */
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

async function judge(row: RouteRow, body: unknown): Promise<Got> {
  const before = await state();
  const got = await house.send(row.method, pathOf(row), { as: house.admin, body });
  const seen = `${row.id} ${JSON.stringify(body)?.slice(0, 2000)}: ${got.status} ${got.text}`;
  expect(got.status, seen).toBeLessThan(500);
  if (got.status < 400) return got;
  const { error_code, details } = errorOf(got);
  expect(await state(), seen).toBe(before);
  const verdict = validate(row.body as SchemaId, body, { dialect: 'documented' });
  if (verdict.ok) return got;
  expect([got.status, error_code], seen).toEqual([400, 8]);
  const list = details as { path: string; problem: string }[];
  expect(list.length, seen).toBeGreaterThan(0);
  for (const { path, problem } of list) {
    expect(path, seen).toMatch(/^(\/|$)/);
    expect(problem.length, seen).toBeGreaterThan(5);
  }
  return got;
}

const quickly = { numRuns: RUNS, interruptAfterTimeLimit: 4000, markInterruptAsFailure: false };

describe.each(fuzzed.map((row) => [row.id, row] as const))('%s', (_id, row) => {
  const schema = schemaOf(row.body as SchemaId);

  it('stands bodies made from its schema, fitting and spoilt', async () => {
    const given = fc.oneof(bodies(schema), spoiltBodies(schema), fc.jsonValue({ maxDepth: 3 }));
    const property = fc.asyncProperty(given, async (body) => {
      await judge(row, body);
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
