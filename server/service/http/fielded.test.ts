/**
 * A session of the vendor's SDK, call by call as it sends them: no content type, a bearer token
 * that is the word None, null for absent fields, orientations of any length, continuous polling
 * (D1, D2, D3, D10, D20, D27).
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiFixture,
  expectError,
  type RequestParts,
  smallToolpath,
  startApiFixture,
} from './api-fixture.cases.ts';

const AGENT = 'Automata EvaSDK/4.1.0 (Python)';
let fixture: ApiFixture;
let session = 'None';
beforeAll(async () => {
  fixture = await startApiFixture({ clock: 20 });
});
afterAll(() => fixture.close());

/** A call as the SDK sends it: JSON without a content type. */
async function call(method: string, path: string, body?: unknown) {
  const headers = { 'User-Agent': AGENT, Authorization: `Bearer ${session}` };
  const content: RequestParts =
    body === undefined ? { headers } : { headers, raw: JSON.stringify(body) };
  return fixture.send(method, `/api/v1/${path}`, content);
}

/** The SDK accepts one status per call and treats every other as a failure. */
async function works(status: number, name: string, body?: unknown) {
  const [method = '', path = ''] = name.split(' ');
  const got = await call(method, path, body);
  expect([path, got.status, got.text.slice(0, 200)]).toEqual([path, status, expect.anything()]);
  return got.body as Record<string, unknown>;
}

interface Snapshot {
  readonly control: { readonly state: string; readonly run_mode: string };
  readonly 'servos.telemetry.position': readonly number[];
}

async function snapshot(): Promise<Snapshot> {
  return (await works(200, 'GET data/snapshot'))['snapshot'] as Snapshot;
}

/** Polls every 10 ms, as the SDK does while it waits for the end of a motion. */
async function waitForReady(): Promise<void> {
  for (let polls = 0; polls < 2000; polls++) {
    const { control } = await snapshot();
    if (control.run_mode === 'not_running') {
      expect(control.state).toBe('ready');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the motion never ended');
}

describe('the SDK', () => {
  it('requests the versions first, and finds a supported one', async () => {
    const got = await fixture.send('GET', '/api/versions', { headers: { 'User-Agent': AGENT } });
    const { robot } = got.body as { robot: string };
    const [major, minor] = robot.split('.').map(Number);
    expect(major).toBe(4);
    expect(minor).toBeGreaterThanOrEqual(7);
    expect(got.headers['x-armtwin']).toContain('dialect=fielded');
  });

  it('sends the word None first, gets 401 with code 5, and logs in', async () => {
    const first = await call('GET', 'users');
    expect([first.status, expectError(first).error_code]).toEqual([401, 5]);
    session = '';
    const empty = await call('GET', 'users');
    expect([empty.status, expectError(empty).error_code]).toEqual([401, 6]);
    const entered = await works(200, 'POST auth', { token: fixture.ada.token });
    session = entered['token'] as string;
    expect(session).toHaveLength(36);
    const { users } = await works(200, 'GET users');
    expect(users).toContainEqual({ id: fixture.ada.id, email: fixture.ada.email, role: 'user' });
    await works(204, 'POST auth/renew');
  });

  it('takes the lock by POST, and keeps it by PUT', async () => {
    await works(200, 'POST controls/lock');
    expect(await works(200, 'PUT controls/lock')).toEqual({ owner: 'you', status: 'locked' });
  });

  it('moves with time null, and sees the motion in the first poll', async () => {
    const joints = [0.1, 0.4, -1.6, 0, -1.2, 0];
    const body = { joints, mode: 'teach', max_speed: null, time: null };
    expect(await works(200, 'POST controls/go_to', body)).toEqual({});
    expect((await snapshot()).control).toMatchObject({ state: 'running', run_mode: 'teach' });
    await waitForReady();
    const { 'servos.telemetry.position': there } = await snapshot();
    for (const [i, angle] of there.entries()) expect(angle).toBeCloseTo(joints[i]!, 2);
  });

  it('calls inverse kinematics with an orientation of any length', async () => {
    const joints = [0.1, 0.4, -1.6, 0, -1.2, 0];
    const forward = await works(200, 'PUT calc/forward_kinematics', { joints });
    const { position, orientation } = forward['fk'] as {
      position: object;
      orientation: { [axis: string]: number };
    };
    const sum = Object.values(orientation).reduce((total, part) => total + part, 0);
    for (const factor of [1, 1 / sum, -3, 1e-3]) {
      const scaled = Object.fromEntries(
        Object.entries(orientation).map(([axis, part]) => [axis, part * factor]),
      );
      const reply = await works(200, 'PUT calc/inverse_kinematics', {
        guess: joints,
        position,
        orientation: scaled,
        tcp_config: null,
      });
      const { result, joints: found } = reply['ik'] as { result: string; joints: number[] };
      expect(result).toBe('success');
      for (const [i, angle] of found.entries()) expect(angle).toBeCloseTo(joints[i]!, 4);
    }
  });

  it('gets the names of ignored fields in a header', async () => {
    const got = await call('PUT', 'calc/forward_kinematics', { joints: [0, 0, 0, 0, 0, 0], x: 1 });
    expect(got.status).toBe(200);
    expect(got.headers['x-armtwin-ignored']).toBe('/x');
    const hostile = { joints: [0, 0, 0, 0, 0, 0], '你\r\nSet-Cookie: a=b\0': 1 };
    const served = await call('PUT', 'calc/forward_kinematics', hostile);
    expect(served.status).toBe(200);
    expect(served.headers['x-armtwin-ignored']).toBe('/???Set-Cookie: a=b?');
  });

  it('may send any body with a call that takes none', async () => {
    for (const raw of ['null', '{', '[1]', '{"a":1}', 'x']) {
      const headers = { 'User-Agent': AGENT, Authorization: `Bearer ${session}` };
      const got = await fixture.send('POST', '/api/v1/auth/renew', { headers, raw });
      expect([raw, got.status]).toEqual([raw, 204]);
    }
    const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
    const got = await fixture.send('POST', '/api/v1/auth/renew', { headers, raw: '{"a":1}' });
    expect(got.status).toBe(400);
  });

  it('looks into a body that may be left out, where arms have no such call', async () => {
    const headers = { 'User-Agent': AGENT, Authorization: `Bearer ${session}` };
    const raw = '{"immediate": 1}';
    const got = await fixture.send('POST', '/workflow/v1/runs/999/pause', { headers, raw });
    expect(got.status).toBe(400);
  });

  it('is chosen for a Go client by the missing content type', async () => {
    const agent = { 'User-Agent': 'Go-http-client/1.1', Authorization: `Bearer ${session}` };
    const path = '/api/v1/controls/pause';
    const served = async (headers: Record<string, string>) =>
      String((await fixture.send('POST', path, { headers })).headers['x-armtwin']);
    expect(await served(agent)).toContain('dialect=fielded');
    const typed = { ...agent, 'Content-Type': 'application/json' };
    expect(await served(typed)).toContain('dialect=documented');
  });

  it('goes home only with a toolpath, with the error that it expects', async () => {
    const got = await call('POST', 'controls/home');
    expect([got.status, expectError(got)]).toEqual([
      400,
      {
        error_code: 0,
        title: 'Toolpath error',
        details: 'Need a valid uploaded timeline to go home to',
      },
    ]);
  });

  it('has no toolpath after one whose motion is refused', async () => {
    const good = smallToolpath();
    const [home] = good.waypoints;
    const away = { ...home!, label_id: 99, joints: [3.1, 3.1, 3.1, 3.1, 3.1, 3.1] };
    const bad = { ...good, waypoints: [home, ...good.waypoints.slice(1, -1), away] };
    await works(200, 'POST toolpath/use', { name: 'good', toolpath: good });
    const refused = await call('POST', 'toolpath/use', { name: 'bad', toolpath: bad });
    expect(expectError(refused)).toMatchObject({
      title: 'Toolpath error',
      details: { loaded: '' },
    });
    expect((await call('POST', 'controls/home')).body).toMatchObject({
      error: { details: 'Need a valid uploaded timeline to go home to' },
    });
  });

  it('takes digital lines as the editor of the arm writes them, and says so', async () => {
    const toolpath = smallToolpath();
    const io = { location: 'base', type: 'digital', index: 0 };
    const set = { type: 'output-set', io, value: 1 };
    const timeline = [...toolpath.timeline, set];
    const got = await call('POST', 'toolpath/use', { toolpath: { ...toolpath, timeline } });
    expect([got.status, got.headers['x-armtwin-ignored']]).toEqual([
      200,
      `/toolpath/timeline/${timeline.length - 1}/value`,
    ]);
  });

  it('saves by listing first, uses without a name, goes home, runs, pauses and stops', async () => {
    const toolpath = smallToolpath();
    const { toolpaths } = await works(200, 'GET toolpaths');
    expect(toolpaths).toEqual([]);
    const saved = await works(200, 'POST toolpaths', { name: 'sdk', toolpath });
    const { id } = saved['toolpath'] as { id: number };
    await works(200, `PUT toolpaths/${id}`, { name: 'sdk', toolpath });
    await works(200, 'POST toolpath/use', { toolpath });
    await works(200, 'POST controls/home');
    await waitForReady();
    await works(200, 'POST controls/run', { mode: 'automatic', loop: 0 });
    await works(200, 'POST controls/pause');
    await works(200, 'POST controls/resume');
    await works(200, 'POST controls/stop_loop');
    await waitForReady();
    await works(200, 'POST controls/run', { mode: 'automatic', loop: 0 });
    await works(200, 'POST controls/pause');
    await works(200, 'POST controls/cancel');
    await waitForReady();
  });

  it('resets errors and acknowledges collisions for 204, once there are any', async () => {
    fixture.twin.apply({ kind: 'estop', engaged: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
    fixture.twin.apply({ kind: 'estop', engaged: false });
    const { control } = await snapshot();
    if (control.state === 'error') await works(204, 'POST controls/reset_errors');
    expect((await snapshot()).control.state).toBe('ready');
  });

  it('releases the lock, and is refused with code 3 without one', async () => {
    await works(200, 'DELETE controls/lock');
    const again = await call('DELETE', 'controls/lock');
    expect([again.status, expectError(again).error_code]).toEqual([403, 3]);
  });

  it('logs out with 204, and its session has ended', async () => {
    await works(204, 'DELETE auth');
    const late = await call('GET', 'data/snapshot');
    expect([late.status, expectError(late).error_code]).toEqual([401, 5]);
  });
});
