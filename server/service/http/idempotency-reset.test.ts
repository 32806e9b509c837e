/**
 * Idempotency keys at a reset or a restored state: each is known exactly while its object is.
 * @module-tag ci
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import { WORKCELL } from '../sessions/revocation-calls.cases.ts';
import { type ApiFixture, PASSWORD, smallToolpath, startApiFixture } from './api-fixture.cases.ts';

// On disk: other calls come while a transaction of the reset is being written.
const folder = mkdtempSync(join(tmpdir(), 'armtwin-reset-keys-'));
let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture({ data: join(folder, 'data') });
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});

const CREATIONS = {
  '/api/v1/toolpaths': (name: string) => ({ name, toolpath: smallToolpath() }),
  '/api/v1/users': (name: string) => ({ email: `${name}@example.org`, password: PASSWORD }),
  '/workflow/v1/workflows': (name: string) => ({ ...sampleWorkflow(), name }),
  '/workflow/v1/workcells': (name: string) => ({ ...WORKCELL, name }),
} as const;
type Path = keyof typeof CREATIONS;

const sim = (action: string, body: object) =>
  fixture.send('POST', `/sim/v1/${action}`, { as: fixture.admin, body });

/** Makes a call with the key of a name; returns whether it was answered as a repeated one. */
async function isRepeated(path: Path, name: string): Promise<boolean> {
  const body = CREATIONS[path](name);
  const headers = { 'Idempotency-Key': `a key of ${path} ${name}` };
  const reply = await fixture.send('POST', path, { as: fixture.admin, body, headers });
  expect(reply.status).toBe(200);
  return reply.headers['idempotency-replayed'] === 'true';
}

/** Those of the names that the list of a path has, with doubles. */
async function listed(path: Path, names: readonly string[]): Promise<string[]> {
  const { body } = await fixture.send('GET', path, { as: fixture.admin });
  const all = Object.values(body as object).find(Array.isArray) as { readonly name: string }[];
  return all.map(({ name }) => name).filter((name) => names.includes(name));
}

it.each([
  ['reset', { scopes: ['toolpaths'] }],
  ['states/restore', { name: 'kept' }],
])('a key stays known when its object stays: %s', async (action, body) => {
  await sim('states', { name: 'kept' });
  const paths = Object.keys(CREATIONS) as Path[];
  const nameOf = (path: Path) => `stays-${action.length}-${path.split('/').at(-1)}`;
  for (const path of paths) expect(await isRepeated(path, nameOf(path))).toBe(false);
  expect((await sim(action, body)).status).toBe(204);
  for (const path of paths) {
    const wanted = path !== '/api/v1/toolpaths';
    expect([path, await isRepeated(path, nameOf(path))]).toEqual([path, wanted]);
  }
});

it.each(['/api/v1/toolpaths', '/workflow/v1/workflows', '/workflow/v1/workcells'] as const)(
  'a call during the reset makes one object, also when it is repeated: %s',
  async (path) => {
    for (let round = 0; round < 4; round++) {
      const names: string[] = [];
      let isOver = false;
      const reset = sim('reset', {}).finally(() => {
        isOver = true;
      });
      const create = async (lane: number) => {
        for (let at = 0; !isOver; at++) {
          const name = `during ${round} ${lane} ${at}`;
          names.push(name);
          await isRepeated(path, name);
        }
      };
      await Promise.all([reset, create(1), create(2), create(3)]);
      const kept = await listed(path, names);
      for (const name of names) {
        expect([name, await isRepeated(path, name)]).toEqual([name, kept.includes(name)]);
      }
      expect((await listed(path, names)).sort()).toEqual([...names].sort());
    }
  },
);
