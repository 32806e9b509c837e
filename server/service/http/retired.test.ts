/** Features of earlier arm releases that this one refuses (§9). */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectError, sharedApiFixture, smallToolpath } from './api-fixture.cases.ts';

const fixture = sharedApiFixture();

const formatOne = JSON.parse(
  readFileSync('fixtures/toolpaths/pick-and-place.format-1.json', 'utf8'),
) as object;

async function refused(method: string, path: string, body?: unknown) {
  const got = await fixture.send(method, `/api/v1/${path}`, { as: fixture.ada, body });
  const { error_code, details } = expectError(got);
  return { status: got.status, error_code, details: JSON.stringify(details) };
}

describe('3.0.0', () => {
  it('has no keyword API', async () => {
    const headers = { Authorization: `API ${fixture.ada.token}` };
    const got = await fixture.send('GET', '/api/v1/data/snapshot', { headers });
    expect([got.status, expectError(got).error_code]).toEqual([401, 6]);
  });

  it('rejects an API token in pointer of a session token', async () => {
    const got = await fixture.send('GET', '/api/v1/data/snapshot', { as: fixture.ada.token });
    expect([got.status, expectError(got).error_code]).toEqual([401, 5]);
  });

  const takers = [
    ['POST', 'toolpaths', { name: 'old' }],
    ['POST', 'toolpath/use', {}],
    ['PUT', 'toolpath/calc', {}],
    ['POST', 'toolpath/share', { name: 'old', user_id: 1 }],
  ] as const;

  it.each(takers)(
    'refuses format 1 at %s %s, and points to migrate',
    async (method, path, more) => {
      await fixture.send('POST', '/api/v1/controls/lock', { as: fixture.ada });
      const got = await refused(method, path, { ...more, toolpath: formatOne });
      expect(got).toMatchObject({ status: 400, error_code: 8 });
      expect(got.details).toContain('/api/v1/toolpath/migrate');
    },
  );

  it('migrates an old toolpath, and accepts the result', async () => {
    const path = '/api/v1/toolpath/migrate';
    const got = await fixture.send('PUT', path, { as: fixture.ada, body: { toolpath: formatOne } });
    expect(got.status).toBe(200);
    const { toolpath } = (got.body as { toolpath: { toolpath: object } }).toolpath;
    const body = { name: 'migrated', toolpath };
    const saved = await fixture.send('POST', '/api/v1/toolpaths', { as: fixture.ada, body });
    expect(saved.status).toBe(200);
  });

  it.each([
    ['a timeline that is text', { timeline: 'home' }, '/toolpath/timeline'],
    ['an invalid action', { timeline: [{ type: 'home', waypoint_id: 0 }, 7] }, '/timeline/1'],
    [
      'a waypoint that is missing',
      { timeline: [{ type: 'home', waypoint_id: 99 }] },
      '/timeline/0',
    ],
    ['no waypoints', { waypoints: undefined }, '/toolpath/waypoints'],
    ['an unknown format', { metadata: { version: 3 } }, '/toolpath/metadata/version'],
  ])('refuses to migrate %s', async (_name, invalid, pointer) => {
    const body = { toolpath: { ...formatOne, ...invalid } };
    const got = await refused('PUT', 'toolpath/migrate', body);
    expect(got).toMatchObject({ status: 400, error_code: 8 });
    expect(got.details).toContain(pointer);
  });

  it.each([
    ['default_velocity', { metadata: { default_velocity: 0.5 } }],
    ['no default_max_speed', { metadata: { default_max_speed: undefined } }],
  ])('refuses fractions of speed: %s', async (_name, { metadata }) => {
    const toolpath = smallToolpath();
    const body = { toolpath: { ...toolpath, metadata: { ...toolpath.metadata, ...metadata } } };
    expect(await refused('PUT', 'toolpath/calc', body)).toMatchObject({
      status: 400,
      error_code: 8,
    });
  });

  it.each([
    ['run', { loop: 1 }],
    ['go_to', { joints: [0, 0, 0, 0, 0, 0] }],
    ['go_to', { joints: [0, 0, 0, 0, 0, 0], mode: 'teach', velocity: 0.5 }],
  ])('wants a mode and no velocity: %s %j', async (call, body) => {
    const got = await refused('POST', `controls/${call}`, body);
    expect(got).toMatchObject({ status: 400, error_code: 8 });
    expect(got.details).toMatch(/\/mode|\/velocity/);
  });

  it('names the field of an error error_code, not status', async () => {
    const got = await fixture.send('GET', '/api/v1/data/snapshot');
    expect(Object.keys((got.body as { error: object }).error).sort()).toEqual([
      'details',
      'error_code',
      'title',
    ]);
  });
});

describe('3.1.0 and 3.2.0', () => {
  it('have no flat mode of data', async () => {
    for (const query of ['', '?mode=flat']) {
      const path = `/api/v1/data/snapshot${query}`;
      const got = await fixture.send('GET', path, { as: fixture.ada });
      const { snapshot } = got.body as { snapshot: Record<string, unknown> };
      expect(snapshot['global.outputs']).toBeTypeOf('object');
      expect(snapshot['global.outputs.d0']).toBeUndefined();
    }
  });

  it('return changes of globals in the layout of the snapshot', async () => {
    await fixture.send('POST', '/api/v1/controls/lock', { as: fixture.ada });
    const body = { changes: [{ key: 'outputs.d1', value: true }] };
    const got = await fixture.send('POST', '/api/v1/data/globals', { as: fixture.ada, body });
    expect(got.body).toMatchObject({ changes: { 'global.outputs': { d1: true } } });
  });
});

describe('4.0.0', () => {
  it('uses the current names of motion errors', async () => {
    const body = {
      guess: [0, 0.5, -1.7, 0, -1.2, 0],
      position: { x: 9, y: 9, z: 9 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
    };
    const got = await fixture.send('PUT', '/api/v1/calc/inverse_kinematics', {
      as: fixture.ada,
      body,
    });
    const { ik } = got.body as { ik: { result: string; error: string } };
    expect(ik.result).toBe('error');
    expect(ik.error).not.toBe('ik');
    expect('joints' in ik).toBe(false);
  });
});

describe('endpoints without a documented body', () => {
  it.each([
    ['POST', 'controls/go_to_advanced'],
    ['GET', 'data/config'],
    ['GET', 'versions'],
    ['POST', 'controls/unknown'],
  ])('%s %s is not found', async (method, path) => {
    const body = method === 'POST' ? {} : undefined;
    expect(await refused(method, path, body)).toMatchObject({ status: 404, error_code: 8 });
  });
});
