/** Idempotency keys: every call that creates a stored object, at once and after a restart. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import { ERROR_ROWS } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import { ROUTES, type RouteRow } from '../../../contract/routes.ts';
import { createTwin, type Twin } from '../../index.ts';
import { WORKCELL } from '../sessions/revocation-calls.cases.ts';
import {
  type ApiFixture,
  expectError,
  PASSWORD,
  send,
  smallToolpath,
  startApiFixture,
} from './api-fixture.cases.ts';

const data = join(mkdtempSync(join(tmpdir(), 'armtwin-keys-')), 'data');
const TOKEN = 'the token of the admin 0123456789';
let fixture: ApiFixture;
let again: Twin | null = null;
beforeAll(async () => {
  fixture = await startApiFixture({ data, token: TOKEN, webhooks: 'ci', privateHooks: true });
  await fixture.send('POST', '/workflow/v1/workflows', {
    as: fixture.admin,
    body: sampleWorkflow(),
  });
});
afterAll(async () => {
  await again?.close();
  await fixture.close();
  rmSync(join(data, '..'), { recursive: true });
});

/** A call that creates something: path, body, another body, and the list that grows. */
interface Creation {
  readonly path: string;
  readonly body: (name: string) => object;
  readonly list: string;
}

const CREATIONS: { readonly [id: string]: Creation } = {
  createToolpath: {
    path: '/api/v1/toolpaths',
    body: (name) => ({ name, toolpath: smallToolpath() }),
    list: '/api/v1/toolpaths',
  },
  createUser: {
    path: '/api/v1/users',
    body: (name) => ({ email: `${name}@example.org`, password: PASSWORD }),
    list: '/api/v1/users',
  },
  createToken: {
    path: '/api/v1/users/1/tokens',
    body: (name) => ({ name }),
    list: '/api/v1/users/1/tokens',
  },
  createWorkflow: {
    path: '/workflow/v1/workflows',
    body: (name) => ({ ...sampleWorkflow(), name }),
    list: '/workflow/v1/workflows',
  },
  createWorkcell: {
    path: '/workflow/v1/workcells',
    body: (name) => ({ ...WORKCELL, name }),
    list: '/workflow/v1/workcells',
  },
  startRun: {
    path: '/workflow/v1/workflows/1/runs',
    body: (name) => ({ simulate_drivers: true, seed: name.length }),
    list: '/workflow/v1/runs',
  },
  testHook: {
    path: '/workflow/v1/webhooks/test',
    body: (name) => ({ url: `http://127.0.0.1:9/${name}` }),
    list: '/workflow/v1/webhooks/deliveries',
  },
};

const countOf = async (list: string) => {
  const got = await fixture.send('GET', list, { as: fixture.admin });
  return (Object.values(got.body as object).find(Array.isArray) as unknown[]).length;
};
const withKey = (id: string) => ({ 'Idempotency-Key': `key of ${id}` });
const post = (id: string, body: object) =>
  fixture.send('POST', CREATIONS[id]!.path, { as: fixture.admin, body, headers: withKey(id) });
const used = ERROR_ROWS.idempotency_key_used;

describe('a call that creates an object', () => {
  const creating = (ROUTES as readonly RouteRow[]).filter(({ creates }) => creates);
  it('has a case here', () => {
    expect(creating.map(({ id }) => id).sort()).toEqual(Object.keys(CREATIONS).sort());
  });

  const replies = new Map<string, string>();
  it.each(Object.keys(CREATIONS))('is made once with a key: %s', async (id) => {
    const { body, list } = CREATIONS[id]!;
    const before = await countOf(list);
    const all = await Promise.all([1, 2, 3].map(() => post(id, body('first'))));
    const [made, ...repeated] = all.sort((a, b) => {
      const isRepeated = ({ headers, status }: typeof a) =>
        Number(status !== 200 || headers['idempotency-replayed'] === 'true');
      return isRepeated(a) - isRepeated(b);
    });
    expect([made!.status, made!.headers['idempotency-replayed']]).toEqual([200, undefined]);
    replies.set(id, made!.text);
    for (const reply of repeated) {
      if (id === 'createToken') {
        expect([reply.status, expectError(reply).title]).toEqual([used.status, used.title]);
      } else {
        expect([reply.text, reply.headers['idempotency-replayed']]).toEqual([made!.text, 'true']);
      }
    }
    expect(await countOf(list)).toBe(before + 1);
    const other = await post(id, body('another'));
    expect([other.status, expectError(other).title]).toEqual([used.status, used.title]);
    expect(await countOf(list)).toBe(before + 1);
  });

  it('compares passwords too, of which no fast hash is stored', async () => {
    const email = 'first@example.org';
    const other = await post('createUser', { email, password: `${PASSWORD} 2` });
    expect([other.status, expectError(other).title]).toEqual([used.status, used.title]);
  });

  it('is repeated after a restart', async () => {
    await fixture.twin.close();
    again = await createTwin({ data, token: TOKEN, webhooks: 'ci', privateHooks: true });
    const got = await send(again.url, 'POST /api/v1/auth', { body: { token: TOKEN } });
    const as = (got.body as { token: string }).token;
    for (const [id, text] of replies) {
      const { path, body } = CREATIONS[id]!;
      const sent = { as, body: body('first'), headers: withKey(id) };
      const reply = await send(again.url, `POST ${path}`, sent);
      if (id === 'createToken') expect(reply.status).toBe(used.status);
      else expect([reply.text, reply.headers['idempotency-replayed']]).toEqual([text, 'true']);
    }
  });

  it('refuses a malformed key, and is new after a reset', async () => {
    const got = await send(again!.url, 'POST /api/v1/auth', { body: { token: TOKEN } });
    const as = (got.body as { token: string }).token;
    const body = CREATIONS['createToolpath']!.body('first');
    const create = (headers: Record<string, string>) =>
      send(again!.url, 'POST /api/v1/toolpaths', { as, body, headers });
    const longest = 'x'.repeat(limits.idempotency_key_characters);
    expect((await create({ 'Idempotency-Key': '' })).status).toBe(400);
    expect((await create({ 'Idempotency-Key': `${longest}x` })).status).toBe(400);
    expect((await create({ 'Idempotency-Key': longest })).status).toBe(200);
    await send(again!.url, 'POST /sim/v1/reset', { as, body: { scopes: ['toolpaths'] } });
    const made = await create({ 'Idempotency-Key': longest });
    expect([made.status, made.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });
});
