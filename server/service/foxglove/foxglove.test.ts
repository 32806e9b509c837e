/**
 * The live connection, used by the protocol's own client: it sees the arm move, calls services,
 * sets parameters and is refused, with sentences, what it may not do.
 */

import { readFileSync } from 'node:fs';
import {
  FrameTransforms,
  JointStates,
  Log,
  PoseInFrame,
  SceneUpdate,
} from '@foxglove/schemas/jsonschema.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../../physics/kinematics/forward.ts';
import { createPoseReader, createTool } from '../../../physics/kinematics/tool.ts';
import { largestDifference } from '../../../physics/math/vector.ts';
import { createTwin } from '../../index.ts';
import { CHANNELS } from '../../recording/channels.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import {
  pollUntilDefined,
  type TwinAndClient,
  withTwinClient,
} from '../simulation/twin-client.cases.ts';
import { flangeOf, type Json, Studio, unknownParts } from './studio.cases.ts';

/** The newest transforms. */
async function tfOf(studio: Studio): Promise<Json> {
  studio.subscribe('/tf');
  return pollUntilDefined(() => studio.of('/tf').at(-1));
}

describe('the live connection for Foxglove', () => {
  const stop: (() => void)[] = [];
  let pair: TwinAndClient;
  let url: string;
  const studios: Studio[] = [];

  beforeAll(async () => {
    await new Promise<void>((ready, fail) => {
      withTwinClient({ foxglove: 0 }, async (opened) => {
        pair = opened;
        url = `${opened.twin.foxgloveUrl}?token=${opened.twin.token}`;
        await opened.arm.takeLock();
        ready();
        await new Promise<void>((end) => stop.push(end));
      }).catch(fail);
    });
  });
  afterAll(() => {
    for (const studio of studios) studio.close();
    for (const end of stop) end();
  });

  async function open(address = url, protocol?: string): Promise<Studio> {
    const studio = new Studio(address, protocol);
    studios.push(studio);
    return studio.open();
  }

  it('has the schemas of Foxglove where it uses their names', () => {
    const schemas = [FrameTransforms, JointStates, Log, PoseInFrame, SceneUpdate];
    for (const [topic, { name, schema }] of Object.entries(CHANNELS)) {
      if (!name.startsWith('foxglove.')) continue;
      const theirs = schemas.find(({ title }) => title === name) as Json;
      expect([topic, unknownParts(schema, theirs)]).toEqual([topic, []]);
    }
  });

  it('shows the arm move: joints, transforms and signals', async () => {
    const { twin, arm } = pair;
    const studio = await open();
    for (const topic of studio.channels.keys()) studio.subscribe(topic);
    const joints = [0.3, 0.5, -1.8, 0.2, -1.3, 0.4] as const;
    await arm.goTo({ mode: 'automatic', joints: [...joints] });
    await twin.advance(5);
    const atGoal = (message: Json) =>
      (message['joints'] as { position: number }[]).every(
        ({ position }, j) => Math.abs(position - joints[j]!) < 1e-3,
      );
    await pollUntilDefined(() => studio.of('/joints').find(atGoal));
    await pollUntilDefined(() => studio.of('/signals').at(-1)?.['state'] === 'ready' || undefined);
    const frames = createFrames();
    const last = studio.of('/joints').at(-1)!['joints'] as { name: string; position: number }[];
    expect(last.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4, 5].map((j) => `joint_${j}`));
    forward(
      last.map(({ position }) => position),
      frames,
    );
    const at = FLANGE_FRAME * FRAME_SIZE;
    const ours = frames.subarray(at, at + FRAME_SIZE);
    expect(largestDifference(flangeOf(studio.of('/tf').at(-1)!), ours)).toBeLessThan(1e-9);
    const { a0 } = (await arm.getSnapshot()).snapshot['global.inputs'];
    await pollUntilDefined(() => studio.of('/signals').at(-1)?.['inputs.a0'] === a0 || undefined);
    expect(studio.of('/signals').at(-1)).toMatchObject({ state: 'ready' });
    expect(studio.time_ns).toBe(studio.messages.at(-1)!.at_ns);
    // The stepped clock of tests starts in 2020.
    expect(new Date(Number(studio.time_ns / 1_000_000n)).getUTCFullYear()).toBe(2020);
  });

  it('turns the frame of the tool as its configuration says', async () => {
    await withTwinClient({ foxglove: 0 }, async ({ twin, arm }) => {
      await arm.takeLock();
      const rotations = { x: 0.3, y: 0.5, z: -0.7 };
      const tcp_config = { offsets: { x: 0.05, y: 0.02, z: 0.12 }, rotations, radius: 0.02 };
      const toolpath = smallToolpath();
      const metadata = { ...toolpath.metadata, tcp_config };
      await arm.useUnsavedToolpath({ name: 'turned', toolpath: { ...toolpath, metadata } });
      const studio = await open(`${twin.foxgloveUrl}?token=${twin.token}`);
      studio.subscribe('/joints');
      await twin.advance(0.1);
      const joints = (await pollUntilDefined(() => studio.of('/joints').at(-1)))['joints'];
      const q = (joints as { position: number }[]).map(({ position }) => position);
      const tool = createPoseReader()(q, createTool(tcp_config));
      expect(largestDifference(flangeOf(await tfOf(studio)), tool)).toBeLessThan(1e-9);
    });
  });

  it('shows log and path of a loaded toolpath, obstacles and a lasting contact', async () => {
    const { twin, arm } = pair;
    const studio = await open();
    for (const topic of ['/path', '/obstacles', '/contacts', '/log']) studio.subscribe(topic);
    const entities = (topic: string) =>
      (studio.of(topic).at(-1)?.['entities'] ?? []) as Record<string, Json[]>[];
    await pollUntilDefined(() => studio.of('/contacts').at(-1));
    expect(entities('/path')).toEqual([]);
    await arm.useUnsavedToolpath({ name: 'small', toolpath: smallToolpath() });
    await pollUntilDefined(() => studio.of('/log').at(-1));
    expect(studio.of('/log').at(-1)).toMatchObject({
      level: 2,
      message: 'Toolpath “small” loaded',
    });
    const box = { position: { x: 0, y: 0, z: 1.5 }, half: { x: 0.1, y: 0.2, z: 0.05 } };
    await arm.addObstacle({ name: 'lamp', ...box });
    await twin.advance(0.1);
    const [path] = await pollUntilDefined(() => entities('/path')[0] && entities('/path'));
    const points = path!['lines']!.flatMap(({ points: each }) => each as object[]);
    expect(points.length).toBeGreaterThan(10);
    await pollUntilDefined(() => entities('/obstacles')[0]);
    expect(entities('/obstacles')[0]!['cubes']).toMatchObject([
      { pose: { position: box.position }, size: { x: 0.2, y: 0.4, z: 0.1 } },
    ]);
    // The arm turns away from where something is then put, and back into it.
    const [x, y, z] = flangeOf(await tfOf(studio)).slice(9) as [number, number, number];
    const { snapshot } = await arm.getSnapshot();
    const [here, ...others] = snapshot['servos.telemetry.position'];
    await arm.goTo({ mode: 'automatic', joints: [here - 0.5, ...others] });
    await twin.advance(5);
    const half = { x: 0.02, y: 0.02, z: 0.02 };
    const soft = { half, stiffness_n_per_m: 500 };
    await arm.addObstacle({ name: 'hand', position: { x, y, z }, ...soft });
    await arm.goTo({ mode: 'automatic', joints: [here, ...others] });
    await twin.advance(5);
    await pollUntilDefined(() => entities('/contacts')[0]);
    expect(entities('/contacts')[0]!['spheres']).toHaveLength(1);
    expect(entities('/contacts')[0]!['metadata']).toContainEqual({
      key: 'obstacle',
      value: 'hand',
    });
    await arm.resetTwin({});
  });

  it('answers parameters, sets the clock and publishes the change', async () => {
    const studio = await open();
    studio.client.getParameters([], 'all');
    await pollUntilDefined(() => studio.parameters.get('/robot_description'));
    expect(studio.parameters.get('/robot_description')).toContain('<robot name="armtwin">');
    expect(Object.fromEntries(studio.parameters)).toMatchObject({
      '/driver': 'fast',
      '/clock/pace': 'stepped',
      '/clock/paused': false,
    });
    const other = await open();
    other.client.subscribeParameterUpdates(['/clock/pace']);
    studio.client.setParameters([{ name: '/clock/pace', value: 2 }], 'set');
    await pollUntilDefined(() => other.parameters.get('/clock/pace'));
    expect(other.parameters.get('/clock/pace')).toBe('2');
    studio.client.setParameters([{ name: '/clock/pace', value: 'stepped' }], 'back');
    await pollUntilDefined(() => other.parameters.get('/clock/pace') === 'stepped' || undefined);
    studio.client.setParameters([{ name: '/driver', value: 'servo' }]);
    studio.client.setParameters([{ name: '/clock/pace', value: -1 }]);
    await pollUntilDefined(() => studio.statuses[1]);
    expect(studio.statuses[0]).toBe('The parameter /driver cannot be set');
    expect(studio.statuses[1]).toMatch(
      /^\/clock\/pace: Invalid arguments: .*must be a number above 0/,
    );
  });

  it('advances the clock and resets the twin by services', async () => {
    const { twin } = pair;
    const studio = await open();
    expect([...studio.services.keys()]).toEqual([
      '/clock/get',
      '/clock/set',
      '/clock/step',
      '/clock/advance',
      '/reset',
    ]);
    const before_s = twin.now_s();
    const clock = await studio.call('/clock/advance', { seconds: 1.5 });
    expect(twin.now_s()).toBeCloseTo(before_s + 1.5, 9);
    expect(clock['now_s']).toBe(twin.now_s());
    expect(await studio.call('/reset', {})).toEqual({});
    expect(twin.now_s()).toBe(0);
    expect(await studio.call('/clock/advance', { seconds: 'long' })).toEqual({
      failure: expect.stringMatching(/^Invalid arguments: .*\/seconds.*must be number/),
    });
    expect(await studio.call('/absent', {})).toEqual({
      failure: 'Not found: There is no service 99',
    });
  });

  it('has every topic, service and parameter of the layout in docs', async () => {
    const layout = readFileSync('docs/foxglove-layout.json', 'utf8');
    const studio = await open();
    studio.client.getParameters([], 'all');
    await pollUntilDefined(() => studio.parameters.get('/robot_description'));
    const known = [
      ...studio.channels.keys(),
      ...studio.services.keys(),
      ...studio.parameters.keys(),
    ];
    const named = [...layout.matchAll(/"(\/[\w/]+)[."]/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('offers users no services, and no client anything after its session', async () => {
    const { arm, twin } = pair;
    const { user } = await arm.createUser({ email: 'bo@example.org', password: 'long enough' });
    const { token, id } = await arm.createToken({ user_id: user.id }, { name: 'studio' });
    const studio = await open(`${twin.foxgloveUrl}?token=${token}`);
    expect([...studio.services.keys()]).toEqual([]);
    expect(studio.info['capabilities']).not.toContain('services');
    expect(await studio.call('/reset', {})).toEqual({
      failure: 'Not found: There is no service 99',
    });
    studio.client.setParameters([{ name: '/clock/paused', value: true }]);
    await pollUntilDefined(() => studio.statuses[0]);
    expect(studio.statuses[0]).toBe('/clock/paused: Admin role required');
    const closed = new Promise((resolve) => studio.socket.on('close', resolve));
    await arm.deleteToken({ user_id: user.id, token_id: id });
    expect(await closed).toBe(4401);
  });

  it('reports what it does not understand', async () => {
    const studio = await open();
    for (const text of ['{', '[]', '{"op":"dance"}', '{"op":"subscribe","subscriptions":[{}]}']) {
      studio.socket.send(text);
    }
    studio.socket.send(
      JSON.stringify({ op: 'subscribe', subscriptions: [{ id: 1, channelId: 77 }] }),
    );
    studio.socket.send(Buffer.from([7]));
    await pollUntilDefined(() => studio.statuses[5]);
    expect(studio.statuses).toEqual([
      'A text message must be a JSON object with a field op',
      'A text message must be a JSON object with a field op',
      'Unknown operation: dance',
      'A subscription needs whole numbers id and channelId',
      'There is no channel 77',
      'Of binary messages only calls of services are known',
    ]);
  });

  it('counts its log-ins in the audit log', async () => {
    const count = async () => {
      const metrics = await (await fetch(`${pair.twin.url}/metrics`)).text();
      return Number(/audit_events_total\{event="log_in"\} (\d+)/.exec(metrics)?.[1]);
    };
    const before = await count();
    await open();
    expect(await count()).toBe(before + 1);
  });

  it.each([
    ['', 'foxglove.websocket.v1', 401],
    ['?token=wrong', 'foxglove.websocket.v1', 401],
    ['elsewhere?token={token}', 'foxglove.websocket.v1', 404],
    ['?token={token}', 'chat', 400],
  ])('refuses the handshake %s of %s with %d', async (tail, protocol, status) => {
    const { twin } = pair;
    const address = `${twin.foxgloveUrl}${tail.replace('{token}', twin.token)}`;
    const socket = new WebSocket(address, [protocol]);
    const seen = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('error', () => {});
    });
    expect(seen).toBe(status);
  });

  it('accepts the newer name of the protocol, and a session in the header', async () => {
    expect((await open(url, 'foxglove.sdk.v1')).socket.protocol).toBe('foxglove.sdk.v1');
    const { twin, arm } = pair;
    const headers = { Authorization: `Bearer ${await arm.session()}` };
    const socket = new WebSocket(twin.foxgloveUrl!, ['foxglove.websocket.v1'], { headers });
    const first = await new Promise((resolve) => socket.on('message', (data) => resolve(data)));
    expect(JSON.parse(String(first))).toMatchObject({ op: 'serverInfo' });
    socket.close();
  });

  it('answers a browser with 426 and an occupied port with a sentence', async () => {
    const http = pair.twin.foxgloveUrl!.replace('ws:', 'http:');
    expect((await fetch(http)).status).toBe(426);
    const port = Number(new URL(http).port);
    await expect(createTwin({ foxglove: port })).rejects.toThrow(
      `Port ${port} is already in use; choose another with the option foxglove.`,
    );
  });
});
