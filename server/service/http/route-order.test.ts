/**
 * The order of refusals (D6) on every route: a call that is wrong in several ways meets identity,
 * role, body and object in this order, also where its path names something that does not exist.
 */

import { describe, expect, it } from 'vitest';
import { exampleOf } from '../../../contract/api-docs/schema-example.ts';
import { ROUTES, type RouteRow } from '../../../contract/routes.ts';
import { type SchemaId, schemaOf } from '../../../contract/schemas.ts';
import { expectError, sharedApiFixture, type TestUser } from './api-fixture.cases.ts';

const fixture = sharedApiFixture();

const rows: readonly RouteRow[] = ROUTES;
const calls = rows.filter(({ carries }) => carries === undefined);
const titled = (of: (row: RouteRow) => boolean) =>
  calls.filter(of).map((row) => [row.id, row] as const);
const MISSING = '999999';
const missing = ({ path }: RouteRow) => path.replace(/\{\w+\}/g, MISSING);

/** Calls whose definition may have unknown fields, which warn (D3). */
const OF_ANY_FIELDS = ['validateWorkflow', 'updateWorkflow'];

/** Status and error code of a call to ids that do not exist, with a body of this text. */
async function refusalOf(row: RouteRow, as: TestUser | null, raw: string | null) {
  const body = raw === null ? {} : { raw, headers: { 'Content-Type': 'application/json' } };
  const got = await fixture.send(row.method, missing(row), { as, ...body });
  return got.status < 400 ? [got.status] : [got.status, expectError(got).error_code];
}

const hasObject = ({ path }: RouteRow) =>
  [...path.matchAll(/\{(\w+)\}/g)].some(([, name]) => !name!.endsWith('_name'));

describe('a call', () => {
  it.each(titled(({ auth }) => auth === 'session'))('%s asks for the identity first', (_, row) => {
    const wrong = row.body === undefined ? null : '{"zz":';
    return expect(refusalOf(row, null, wrong)).resolves.toEqual([401, 5]);
  });

  it.each(titled(({ role, ofUser }) => role === 'admin' || ofUser === true))(
    '%s asks for the role next',
    async (_, row) => {
      for (const raw of row.body === undefined ? [null] : ['{"zz":', '{"zz":1}']) {
        expect(await refusalOf(row, fixture.ada, raw)).toEqual([403, 4]);
      }
    },
  );

  it.each(titled(({ body }) => body !== undefined))('%s reads the body next', async (_, row) => {
    for (const raw of ['{"zz":', ...(OF_ANY_FIELDS.includes(row.id) ? [] : ['{"zz":1}'])]) {
      expect(await refusalOf(row, fixture.admin, raw)).toEqual([400, 8]);
    }
  });

  it.each(titled(hasObject))('%s looks for the object then, before the lock', async (_, row) => {
    const example = row.body && JSON.stringify(exampleOf(schemaOf(row.body as SchemaId)));
    expect(await refusalOf(row, fixture.admin, example ?? null)).toEqual([404, 8]);
  });
});

it('has one spelling of an id', async () => {
  const { id } = fixture.ada;
  for (const text of [`0${id}`, `+${id}`, `${id}.0`, `${id}e0`, '0', '-1', '1'.repeat(16)]) {
    const got = await fixture.send('GET', `/api/v1/users/${text}/tokens`, { as: fixture.admin });
    expect([text, got.status, expectError(got).title]).toEqual([text, 404, 'No such path']);
  }
});
