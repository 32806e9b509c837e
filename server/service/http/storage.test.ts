/**
 * Storage as clients see it: data after a power cycle, and a full disk.
 * @module-tag ci
 */
import { promises as files, mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import { oneMove } from '../../../scheduler/scenarios/assay.cases.ts';
import { createTwin } from '../../index.ts';
import { observeDisk } from '../../store/simulated-disk.cases.ts';
import {
  type ApiFixture,
  expectError,
  PASSWORD,
  send,
  smallToolpath,
  startApiFixture,
} from './api-fixture.cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-kept-'));
const data = join(folder, 'data');
let fixture: ApiFixture;
let isFull = false;
/** Writes to the journal until the disk is full. */
let writesLeft = Number.POSITIVE_INFINITY;
beforeAll(async () => {
  observeDisk((step, name) => {
    if (step !== 'write') return;
    if (name.endsWith('.log')) writesLeft -= 1;
    if (isFull || writesLeft < 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  });
  fixture = await startApiFixture({ data, token: 'the first token', name: 'Kept Name' });
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});

const save = (name: string) =>
  fixture.send('POST', '/api/v1/toolpaths', {
    as: fixture.ada,
    body: { name, toolpath: smallToolpath() },
  });

const listed = async () => {
  const got = await fixture.send('GET', '/api/v1/toolpaths', { as: fixture.ada });
  return (got.body as { toolpaths: { id: number; name: string }[] }).toolpaths;
};

describe('a full disk', () => {
  it('refuses in the error format, changes nothing, and the arm keeps moving', async () => {
    // Pending token uses of earlier log-ins are saved before this one.
    await save('first');
    const before = await listed();
    isFull = true;
    const got = await save('lost');
    const error = expectError(got);
    expect([got.status, error.error_code, error.title]).toEqual([503, 1, 'The data folder failed']);
    expect(got.text).not.toContain(data);
    expect(await listed()).toEqual(before);
    const read_only = 'the disk of the data folder is full';
    const unready = await fixture.send('GET', '/readyz');
    expect([unready.status, expectError(unready).details]).toMatchObject([503, { read_only }]);
    const ready = await fixture.send('GET', '/api/v1/data/snapshot', { as: fixture.ada });
    expect(ready.body).toMatchObject({ snapshot: { control: { state: 'ready' } } });
    const enter = () =>
      fixture.send('POST', '/api/v1/auth', { body: { token: fixture.bob.token } });
    expect((await enter()).status).toBe(200);
    isFull = false;
    expect((await enter()).status).toBe(200);
    expect((await save('kept')).status).toBe(200);
    expect((await fixture.send('GET', '/readyz')).body).toEqual({ ready: true });
  });

  it('after the first of two writes of a call does not deny what was done', async () => {
    const { admin: as } = fixture;
    const body = sampleWorkflow();
    await fixture.send('POST', '/workflow/v1/workflows', { as, body });
    const user = { email: 'gone@example.org', password: PASSWORD };
    const made = await fixture.send('POST', '/api/v1/users', { as, body: user });
    const { id } = (made.body as { user: { id: number } }).user;
    const workflow = '/workflow/v1/workflows/1';
    writesLeft = 1;
    const started = await fixture.send('POST', `${workflow}/runs`, {
      as,
      body: { simulate_drivers: true },
    });
    expect([started.status, started.text]).toEqual([200, expect.stringContaining('"id":1')]);
    const stopped = await fixture.send('POST', '/workflow/v1/runs/1/stop', { as });
    expect(expectError(stopped).details).toMatch('It is not known');
    writesLeft = 1;
    const gone = await fixture.send('DELETE', `/api/v1/users/${id}`, { as });
    expect(gone.status).toBe(200);
    writesLeft = Number.POSITIVE_INFINITY;
    const run = await fixture.send('GET', '/workflow/v1/runs/1', { as });
    expect(run.body).toMatchObject({ run: { state: 'stopped' } });
  });

  it('leaves the lock free when the run that would take it is not stored', async () => {
    const { admin: as } = fixture;
    const saved = await fixture.send('POST', '/workflow/v1/workflows', { as, body: oneMove() });
    const { id } = (saved.body as { workflow: { id: number } }).workflow;
    // The workcell is stored, the run is not.
    writesLeft = 1;
    const path = `/workflow/v1/workflows/${id}/runs`;
    const started = await fixture.send('POST', path, { as, body: {} });
    writesLeft = Number.POSITIVE_INFINITY;
    expect([started.status, expectError(started).details]).toEqual([503, 'Nothing has changed']);
    const taken = await fixture.send('POST', '/api/v1/controls/lock', { as: fixture.ada });
    expect([taken.status, taken.body]).toEqual([200, { status: 'locked', owner: 'you' }]);
  });

  it.each([
    ['ENOSPC', 'the disk of the data folder is full'],
    ['EROFS', 'the data folder is read-only'],
  ])('at the start (%s) leaves motion and reads, and refuses saves', async (code, fault) => {
    const read_only = `${fault}; start again when it can be written`;
    const place = join(folder, code);
    await (await createTwin({ data: place, token: 't' })).close();
    const { writeFile } = files;
    files.writeFile = () => Promise.reject(Object.assign(new Error(code), { code }));
    syncBuiltinESMExports();
    const twin = await createTwin({ data: place, token: 't' }).finally(() => {
      Object.assign(files, { writeFile });
      syncBuiltinESMExports();
    });
    const got = await send(twin.url, 'POST /api/v1/auth', { body: { token: 't' } });
    const as = (got.body as { token: string }).token;
    const unready = await send(twin.url, 'GET /readyz');
    expect([unready.status, expectError(unready).details]).toMatchObject([503, { read_only }]);
    const saved = await send(twin.url, 'POST /api/v1/users/1/tokens', { as, body: { name: 'x' } });
    expect([saved.status, expectError(saved).details]).toEqual([503, 'Nothing has changed']);
    expect((await send(twin.url, 'GET /api/v1/users', { as })).status).toBe(200);
    await send(twin.url, 'POST /api/v1/controls/lock', { as });
    const joints = [0.3, 0.5, -1.7, 0, -1.2, 0];
    const moved = await send(twin.url, 'POST /api/v1/controls/go_to', {
      as,
      body: { joints, mode: 'automatic' },
    });
    expect(moved.status).toBe(204);
    await twin.close();
  });
});

describe('the last use of a token', () => {
  it('is visible at once and survives a restart', async () => {
    const place = join(folder, 'uses');
    const first = await createTwin({ data: place, token: 't' });
    const enter = async (url: string) => {
      const got = await send(url, 'POST /api/v1/auth', { body: { token: 't' } });
      return (got.body as { token: string }).token;
    };
    const uses = async (url: string, session: string) => {
      const got = await send(url, 'GET /api/v1/users/1/tokens', { as: session });
      return (got.body as { tokens: { last_used_at: string | null }[] }).tokens[0]?.last_used_at;
    };
    await first.advance(90);
    const used = await uses(first.url, await enter(first.url));
    expect(used).toBe('2020-01-01T00:01:30.000Z');
    await first.close();
    const second = await createTwin({ data: place, token: 't' });
    const db = await send(second.url, 'POST /api/v1/auth/login', { body: {} });
    expect(db.status).toBe(400);
    const session = await enter(second.url);
    expect(await uses(second.url, session)).toBe('2020-01-01T00:00:00.000Z');
    await second.close();
  });
});

describe('a power cycle', () => {
  it('keeps users, tokens, toolpaths and the name, and ends every session', async () => {
    const before = await listed();
    const [first] = before;
    const session = fixture.ada.session;
    await fixture.close();
    const twin = await createTwin({ data });
    const old = await send(twin.url, 'GET /api/v1/toolpaths', { as: session });
    expect([old.status, expectError(old).error_code]).toEqual([401, 5]);
    const again = await send(twin.url, 'POST /api/v1/auth', {
      body: { token: fixture.ada.token },
    });
    const renewed = (again.body as { token: string }).token;
    const kept = await send(twin.url, 'GET /api/v1/toolpaths', { as: renewed });
    expect(kept.body).toEqual({ toolpaths: before });
    const opened = await send(twin.url, `GET /api/v1/toolpaths/${first!.id}`, { as: renewed });
    expect(opened.body).toMatchObject({ toolpath: { toolpath: smallToolpath() } });
    const name = await send(twin.url, 'GET /api/v1/name');
    expect(name.body).toEqual({ name: 'Kept Name' });
    const lock = await send(twin.url, 'GET /api/v1/controls/lock', { as: renewed });
    expect(lock.body).toEqual({ owner: 'none', status: 'unlocked' });
    await twin.close();
  });

  it('is refused while another twin uses the folder', async () => {
    const twin = await createTwin({ data });
    await expect(createTwin({ data })).rejects.toThrow('is in use by process');
    await twin.close();
  });
});
