/**
 * Fuzzing of request bodies under /sim/v1, as fuzz.test.ts does for the arm. These calls change
 * time and the world, so the twin is reset after each accepted call, which must always succeed.
 * Values that would disconnect the test or take hours are limited first.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../contract/client.ts';
import { ROUTES, type RouteRow } from '../../../contract/routes.ts';
import { type ApiFixture, startApiFixture } from './api-fixture.cases.ts';
import { arbitraryBody, checkReply } from './fuzzing.cases.ts';

const RUNS = 4;
const rows = (ROUTES as readonly RouteRow[]).filter((row) => row.path.startsWith('/sim/'));
const fuzzed = rows.filter((row) => row.body !== undefined);
/** The path of a row with the number 1 for each id. */
const pathOf = ({ path }: { readonly path: string }) => path.replace(/\{\w+_id\}/g, '1');
/** The maximum time that a body may advance: the twin is idle, but the schedule is not. */
const LONGEST_S = 30;

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture({ dialect: 'documented' });
});
afterAll(() => fixture.close());

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
  const got = await Promise.all(
    paths.map((path) => fixture.send('GET', path, { as: fixture.admin })),
  );
  const clock = await fixture.send('GET', '/sim/v1/clock', { as: fixture.admin });
  const { real_time_factor: _, ...time } = clock.body as Record<string, unknown>;
  return [...got.map(({ text }) => text), JSON.stringify(time)].join('\n');
}

/** Limits values of a body so that the test itself can continue. */
const TAMED = new Map<string, (value: unknown) => unknown>([
  ['seconds', shortened],
  ['limit_s', shortened],
  ['ticks', shortened],
  ['delay_s', (value) => (typeof value === 'number' && value > 0.01 ? 0.01 : value)],
]);

function shortened(value: unknown): unknown {
  return typeof value === 'number' && value > LONGEST_S ? LONGEST_S : value;
}

function limited(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const tame = Object.entries(body).map(([key, value]) => [key, TAMED.get(key)?.(value) ?? value]);
  const copy = Object.fromEntries(tame) as Record<string, unknown>;
  // A dropped reply to the test's own requests would block it.
  if (copy['kind'] === 'reply' && typeof copy['path'] === 'string') copy['path'] = '/api/v1/none';
  return copy;
}

async function startAfresh(seen: string): Promise<void> {
  const path = '/sim/v1/reset';
  let got = await fixture.send('POST', path, { as: fixture.admin, body: {} });
  if (got.status === 401) {
    fixture.admin.session = await connect({
      baseUrl: fixture.twin.url,
      token: fixture.admin.token,
    }).session();
    got = await fixture.send('POST', path, { as: fixture.admin, body: {} });
  }
  expect(got.status, `reset after ${seen}: ${got.text}`).toBe(204);
}

const quickly = { numRuns: RUNS, interruptAfterTimeLimit: 4000, markInterruptAsFailure: false };

describe.each(fuzzed.map((row) => [row.id, row] as const))('%s', (_id, row) => {
  it('handles valid and invalid bodies generated from its schema', async () => {
    const property = fc.asyncProperty(arbitraryBody(row).map(limited), async (body) => {
      const got = await checkReply(fixture, { row, path: pathOf(row), body, state });
      if (got.status < 400) await startAfresh(`${row.id} ${JSON.stringify(body)}`);
    });
    await fc.assert(property, quickly);
  });
});
