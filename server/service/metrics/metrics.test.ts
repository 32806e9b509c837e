/** /metrics and the reasons on /readyz of a whole twin. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connect, type StreamSocketClass } from '../../../contract/client.ts';
import { ROBOT_STATES } from '../../../contract/robot-states.ts';
import { type RunningTwin, startTwin } from '../../app/app.ts';
import { TWIN_DEFAULTS } from '../../cli/config.ts';
import { HealthMonitor } from './health-monitor.ts';

const TOKEN = 'token of the scrape';
let twin: RunningTwin;

beforeAll(async () => {
  twin = await startTwin({ ...TWIN_DEFAULTS, token: TOKEN });
});
afterAll(() => twin.close());

const client = () =>
  connect({ baseUrl: twin.url, token: TOKEN, WebSocket: WebSocket as StreamSocketClass });

async function figures(): Promise<Map<string, number>> {
  const reply = await fetch(`${twin.url}/metrics`);
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
  const lines = (await reply.text()).split('\n').filter((line) => !/^(#|$)/.test(line));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))] as const;
    }),
  );
}

describe('/metrics', () => {
  it('counts ticks', async () => {
    const before = (await figures()).get('armtwin_ticks_total')!;
    await twin.clock.advance(250);
    expect((await figures()).get('armtwin_ticks_total')).toBe(before + 250);
  });

  it('counts stream clients and connections', async () => {
    const stream = client().events({ onEvent: () => {} });
    await stream.opened;
    const got = await figures();
    expect(got.get('armtwin_stream_clients{stream="arm"}')).toBe(1);
    expect(got.get('armtwin_connections')).toBeGreaterThanOrEqual(2);
    stream.close();
    let left = 1;
    for (let asked = 0; asked < 50 && left > 0; asked++) {
      left = (await figures()).get('armtwin_stream_clients{stream="arm"}')!;
    }
    expect(left).toBe(0);
  });

  it('names the state', async () => {
    const got = await figures();
    expect(got.get('armtwin_robot_state{state="ready"}')).toBe(1);
    expect(got.get('armtwin_robot_state{state="running"}')).toBe(0);
  });

  it('counts webhook deliveries by state, and has no bus metrics without a bus', async () => {
    const got = await figures();
    for (const state of ['pending', 'delivered', 'dead', 'disabled']) {
      expect(got.get(`armtwin_webhooks{state="${state}"}`)).toBe(0);
    }
    expect([...got.keys()].filter((key) => key.includes('bus_events'))).toEqual([]);
  });

  it('counts events of the servo bus', async () => {
    const servo = await startTwin({
      ...TWIN_DEFAULTS,
      driver: 'servo',
      bus: 'memory',
      pace: { kind: 'scaled', factor: 1 },
    });
    const text = await (await fetch(`${servo.url}/metrics`)).text();
    await servo.close();
    const count = (kind: string) =>
      Number(
        new RegExp(`^armtwin_bus_events_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1],
      );
    expect(count('transactions')).toBeGreaterThan(6);
    expect(count('timeouts')).toBe(0);
    expect(count('checksum_errors')).toBe(0);
  });

  it('measures calls by route, independent of ids in the path', async () => {
    const arm = client();
    await arm.getToolpath({ toolpath_id: 4711 }).catch(() => {});
    const key = 'armtwin_http_duration_seconds_count{route="getToolpath",status="404"}';
    let seen = 0;
    for (let asked = 0; asked < 20 && seen === 0; asked++) seen = (await figures()).get(key) ?? 0;
    expect(seen).toBe(1);
  });

  it('has one name for all unknown paths', async () => {
    for (const path of ['/a', '/b', '/api/v1/c']) await (await fetch(twin.url + path)).text();
    const names = [...(await figures()).keys()].filter((key) => key.includes('status="404"'));
    expect(names.filter((key) => /_count/.test(key) && /"\/(a|b|api)/.test(key))).toEqual([]);
  });
});

describe('request ids', () => {
  const idOf = async (given?: string) => {
    const headers = given === undefined ? {} : { 'X-Request-Id': given };
    return (await fetch(`${twin.url}/livez`, { headers })).headers.get('x-request-id');
  };

  it('are generated and unique', async () => {
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf()).not.toBe(await idOf());
  });

  it("are the client's own if they are safe to log", async () => {
    expect(await idOf('build-17.3')).toBe('build-17.3');
    expect(await idOf('a b')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf('x'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the health monitor', () => {
  it('names the last command and its user, without arguments', () => {
    twin.loop.apply({ kind: 'lock', caller: { user_id: 1, token_id: 1, role: 'admin' } });
    expect(twin.health.lastCommand).toMatchObject({ kind: 'lock', user_id: 1, refused: null });
    twin.loop.apply({ kind: 'waypoint_button' });
    expect(twin.health.lastCommand).toMatchObject({ kind: 'waypoint_button', user_id: null });
    expect(Object.keys(twin.health.lastCommand!)).toEqual(['kind', 'user_id', 'tick', 'refused']);
  });

  it('lists the reasons why it is not ready', () => {
    const loop = { feedbackAge_s: 0 };
    const health = new HealthMonitor(loop);
    const READY = { state: 'ready' } as const;
    expect(health.notReadyReasons(READY)).toEqual([]);
    loop.feedbackAge_s = 0.2;
    expect(health.notReadyReasons(READY)).toEqual(['The joints have not reported for 0.20 s']);
    loop.feedbackAge_s = 0;
    for (const state of ROBOT_STATES) {
      const reasons = health.notReadyReasons({ state });
      expect([state, reasons.length]).toEqual([state, state === 'updating' ? 1 : 0]);
    }
    health.closing = 'going';
    expect(health.notReadyReasons(READY)[0]).toBe('going');
  });
});
