/**
 * The bodies under /sim/v1, made from their own schemas as those of the arm are (fuzz.test.ts).
 * Apart because these calls move time and the world: after each that is taken the twin is reset,
 * which must always succeed. What would cut the test's own line, or take hours of the machine's
 * time, is tamed first.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../contract/client.ts';
import { ROUTES, type RouteRow } from '../../contract/routes.ts';
import { anyBody, judged } from './fuzzing.cases.ts';
import { type Household, openHousehold } from './household.cases.ts';

const RUNS = 10;
const rows = (ROUTES as readonly RouteRow[]).filter((row) => row.path.startsWith('/sim/'));
const fuzzed = rows.filter((row) => row.body !== undefined);
/** The most time that a body may let pass: the twin is idle meanwhile, the schedule is not. */
const LONGEST_S = 30;

let house: Household;
beforeAll(async () => {
  house = await openHousehold({ dialect: 'documented' });
});
afterAll(() => house.close());

/** Everything that these calls could have changed. */
async function state(): Promise<string> {
  const paths = [
    '/sim/v1/loopback',
    '/sim/v1/obstacles',
    '/sim/v1/faults',
    '/sim/v1/states',
    '/sim/v1/recording',
    '/api/v1/users',
    '/api/v1/toolpaths',
    '/api/v1/data/snapshot',
  ];
  const got = await Promise.all(paths.map((path) => house.send('GET', path, { as: house.admin })));
  const clock = await house.send('GET', '/sim/v1/clock', { as: house.admin });
  const { real_time_factor: _, ...time } = clock.body as Record<string, unknown>;
  return [...got.map(({ text }) => text), JSON.stringify(time)].join('\n');
}

/** What a body may hold so that the test itself can go on. */
const TAMED: { readonly [key: string]: (value: unknown) => unknown } = {
  seconds: shortened,
  limit_s: shortened,
  ticks: shortened,
  delay_s: (value) => (typeof value === 'number' && value > 0.01 ? 0.01 : value),
};

function shortened(value: unknown): unknown {
  return typeof value === 'number' && value > LONGEST_S ? LONGEST_S : value;
}

function tamed(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const tame = Object.entries(body).map(([key, value]) => [key, TAMED[key]?.(value) ?? value]);
  const copy = Object.fromEntries(tame) as Record<string, unknown>;
  // A lost reply to the test's own questions would leave it waiting.
  if (copy['kind'] === 'reply' && typeof copy['path'] === 'string') copy['path'] = '/api/v1/none';
  return copy;
}

async function startAfresh(seen: string): Promise<void> {
  const path = '/sim/v1/reset';
  let got = await house.send('POST', path, { as: house.admin, body: {} });
  if (got.status === 401) {
    house.admin.session = await connect({
      baseUrl: house.twin.url,
      token: house.admin.token,
    }).session();
    got = await house.send('POST', path, { as: house.admin, body: {} });
  }
  expect(got.status, `reset after ${seen}: ${got.text}`).toBe(204);
}

const quickly = { numRuns: RUNS, interruptAfterTimeLimit: 4000, markInterruptAsFailure: false };

describe.each(fuzzed.map((row) => [row.id, row] as const))('%s', (_id, row) => {
  it('stands bodies made from its schema, fitting and spoilt', async () => {
    const property = fc.asyncProperty(anyBody(row).map(tamed), async (body) => {
      const got = await judged(house, { row, path: row.path, body, state });
      if (got.status < 400) await startAfresh(`${row.id} ${JSON.stringify(body)}`);
    });
    await fc.assert(property, quickly);
  });
});
