/** What earlier releases of the arm took and this one refuses (spec §9), each as the spec says. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, type Household, openHousehold, smallToolpath } from './household.cases.ts';

let house: Household;
beforeAll(async () => {
  house = await openHousehold();
});
afterAll(() => house.close());

const formatOne = JSON.parse(
  readFileSync('fixtures/toolpaths/pick-and-place.format-1.json', 'utf8'),
) as object;

async function refused(method: string, path: string, body?: unknown) {
  const got = await house.send(method, `/api/v1/${path}`, { as: house.ada, body });
  const { error_code, details } = errorOf(got);
  return { status: got.status, error_code, details: JSON.stringify(details) };
}

describe('3.0.0', () => {
  it('no longer knows the keyword API', async () => {
    const headers = { Authorization: `API ${house.ada.token}` };
    const got = await house.send('GET', '/api/v1/data/snapshot', { headers });
    expect([got.status, errorOf(got).error_code]).toEqual([401, 6]);
  });

  it('takes no API token in place of a session token', async () => {
    const got = await house.send('GET', '/api/v1/data/snapshot', { as: house.ada.token });
    expect([got.status, errorOf(got).error_code]).toEqual([401, 5]);
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
      await house.send('POST', '/api/v1/controls/lock', { as: house.ada });
      const got = await refused(method, path, { ...more, toolpath: formatOne });
      expect(got).toMatchObject({ status: 400, error_code: 8 });
      expect(got.details).toContain('/api/v1/toolpath/migrate');
    },
  );

  it('migrates what it refuses, and takes the result', async () => {
    const path = '/api/v1/toolpath/migrate';
    const got = await house.send('PUT', path, { as: house.ada, body: { toolpath: formatOne } });
    expect(got.status).toBe(200);
    const { toolpath } = (got.body as { toolpath: { toolpath: object } }).toolpath;
    const body = { name: 'migrated', toolpath };
    const saved = await house.send('POST', '/api/v1/toolpaths', { as: house.ada, body });
    expect(saved.status).toBe(200);
  });

  it.each([
    ['a timeline that is text', { timeline: 'home' }, '/toolpath/timeline'],
    ['an action that is none', { timeline: [{ type: 'home', waypoint_id: 0 }, 7] }, '/timeline/1'],
    [
      'a waypoint that is missing',
      { timeline: [{ type: 'home', waypoint_id: 99 }] },
      '/timeline/0',
    ],
    ['no waypoints', { waypoints: undefined }, '/toolpath/waypoints'],
    ['a format that is not known', { metadata: { version: 3 } }, '/toolpath/metadata/version'],
  ])('migrates no faults along: %s', async (_name, spoilt, place) => {
    const body = { toolpath: { ...formatOne, ...spoilt } };
    const got = await refused('PUT', 'toolpath/migrate', body);
    expect(got).toMatchObject({ status: 400, error_code: 8 });
    expect(got.details).toContain(place);
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

  it('calls the field of an error error_code, not status', async () => {
    const got = await house.send('GET', '/api/v1/data/snapshot');
    expect(Object.keys((got.body as { error: object }).error).sort()).toEqual([
      'details',
      'error_code',
      'title',
    ]);
  });
});

describe('3.1.0 and 3.2.0', () => {
  it('know no flat mode of data', async () => {
    for (const query of ['', '?mode=flat']) {
      const path = `/api/v1/data/snapshot${query}`;
      const got = await house.send('GET', path, { as: house.ada });
      const { snapshot } = got.body as { snapshot: Record<string, unknown> };
      expect(snapshot['global.outputs']).toBeTypeOf('object');
      expect(snapshot['global.outputs.d0']).toBeUndefined();
    }
  });

  it('answer changes of globals in the layout of the snapshot', async () => {
    await house.send('POST', '/api/v1/controls/lock', { as: house.ada });
    const body = { changes: [{ key: 'outputs.d1', value: true }] };
    const got = await house.send('POST', '/api/v1/data/globals', { as: house.ada, body });
    expect(got.body).toMatchObject({ changes: { 'global.outputs': { d1: true } } });
  });
});

describe('4.0.0', () => {
  it('names motion errors as they are called now', async () => {
    const body = {
      guess: [0, 0.5, -1.7, 0, -1.2, 0],
      position: { x: 9, y: 9, z: 9 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
    };
    const got = await house.send('PUT', '/api/v1/calc/inverse_kinematics', { as: house.ada, body });
    const { ik } = got.body as { ik: { result: string; error: string } };
    expect(ik.result).toBe('error');
    expect(ik.error).not.toBe('ik');
    expect('joints' in ik).toBe(false);
  });
});

describe('what is named but not shown', () => {
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
