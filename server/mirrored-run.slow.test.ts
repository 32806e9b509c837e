/**
 * The demo's toolpath on a real arm with its model beside it, in real time: it ends as planned, the
 * two stay close, and the report at the end says so.
 */
import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { ServoEmulator } from '../bridge/emulator/servo-emulator.ts';
import { systemBusClock as clock, pause } from '../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../bridge/transport/tcp-peer.ts';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';
import { startTwin } from './app.ts';
import { TWIN_DEFAULTS } from './config.ts';

const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const CALIBRATION = new URL('../fixtures/servos/emulated.json', import.meta.url).pathname;
const TOKEN = 'token of the run';

async function mirroredTwin() {
  const emulator = new ServoEmulator({ clock, supported: true, attended_ms: 100 });
  const served = await serveTcpPeer(emulator, 0);
  const twin = await startTwin({
    ...TWIN_DEFAULTS,
    token: TOKEN,
    driver: 'mirrored',
    bus: `tcp://127.0.0.1:${served.port}`,
    calibration: CALIBRATION,
    pace: { kind: 'scaled', factor: 1 },
  });
  const close = async () => {
    await twin.close();
    await served.close();
  };
  return { twin, arm: connect({ baseUrl: twin.url, token: TOKEN }), close };
}

afterEach(() => {
  vi.restoreAllMocks();
});

it('runs the demo toolpath on servos with the model beside them, and reports', async () => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const { twin, arm, close } = await mirroredTwin();
  const lock = await arm.keepLock();
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const { toolpath: saved } = await arm.createToolpath({ name: 'Demo', toolpath });
  await arm.useToolpath({ toolpath_id: saved.id });
  await arm.run({ mode: 'automatic', loop: 1 });
  await vi.waitFor(() => expect(twin.robot.memory.state).not.toBe('running'), {
    timeout: 60_000,
    interval: 100,
  });
  expect([twin.robot.memory.state, twin.robot.memory.error]).toEqual(['ready', null]);
  const { mirror } = await arm.getServos();
  for (const { position_rms_rad, position_max_rad } of mirror ?? []) {
    expect(position_rms_rad).toBeLessThan(0.002);
    expect(position_max_rad).toBeLessThan(0.02);
  }
  await pause(clock, 100);
  await lock.release();
  await close();
  const report = said.find((text) => text.startsWith('real arm against its model'));
  vi.restoreAllMocks();
  process.stdout.write(report ?? '');
  // A machine that is busy asks less often than the 125 times a second.
  expect(Number(/over (\d+) samples/.exec(report ?? '')?.[1])).toBeGreaterThan(500);
  expect(report?.match(/joint \d( +\d+\.\d+){4}/g)).toHaveLength(6);
});
