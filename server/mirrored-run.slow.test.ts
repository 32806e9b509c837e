/**
 * The demo toolpath on a mirrored arm in real time: it ends as planned, arm and model stay close,
 * and the log says so at the end.
 */
import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { ServoEmulator } from '../bridge/dynamixel/emulator/servo-emulator.ts';
import { systemBusClock as clock, delay } from '../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../bridge/transport/tcp-peer.ts';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { startTwin } from './app/app.ts';
import { TWIN_DEFAULTS } from './cli/config.ts';
import { logOutput } from './service/logging/log-output.ts';

const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const CALIBRATION = new URL('../fixtures/servos/dynamixel.json', import.meta.url).pathname;
const TOKEN = 'token of the run';

async function mirroredTwin() {
  const emulator = new ServoEmulator({ clock, supported: true, gap_limit_ms: 100 });
  const served = await serveTcpPeer(emulator, 0);
  const twin = await startTwin({
    ...TWIN_DEFAULTS,
    token: TOKEN,
    driver: 'mirrored',
    logLevel: 'info',
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

it('runs the demo toolpath on servos and on the model, and reports the differences', async () => {
  const lines: string[] = [];
  vi.spyOn(logOutput(), 'write').mockImplementation((line) => void lines.push(line));
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
    // The model follows exactly; factory servos trail it by their friction and back-EMF.
    expect(position_rms_rad).toBeLessThan(0.03);
    expect(position_max_rad).toBeLessThan(0.1);
  }
  await delay(clock, 100);
  await lock.release();
  await close();
  vi.restoreAllMocks();
  const report = lines.map((line) => JSON.parse(line)).find(({ samples }) => samples !== undefined);
  expect(report).toMatchObject({ msg: 'Deviation of the real arm from its model', level: 'info' });
  // A busy machine sends fewer requests than 125 per second.
  expect(report.samples).toBeGreaterThan(500);
  expect(report.joints).toHaveLength(6);
});
