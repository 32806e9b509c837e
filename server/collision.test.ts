/**
 * A contact with an unknown obstacle, through the whole twin, on both plants: the residual of the
 * joints detects it, and the state changes within one tick (D30).
 */
import { describe, expect, it } from 'vitest';
import { connect } from '../contract/client.ts';
import type { Joints } from '../contract/types.generated.ts';
import { startTwin } from './app/app.ts';
import { type DriverName, TWIN_DEFAULTS } from './cli/config.ts';

const TOKEN = 'token of the test';
const START: Joints = [0, 0.4, -1.8, 0, -1.4, 0];
const END: Joints = [1.2, 0.4, -1.8, 0, -1.4, 0];
/** Centre of the obstacle: on the circle of the flange, 0.6 rad ahead. */
const ANGLE_RAD = 0.6;
const TICK_S = 0.004;

interface Crash {
  readonly touched_s: number | null;
  readonly stamped_s: number | null;
  readonly state_s: number | null;
  readonly state: string;
  readonly turned_rad: number;
  readonly speed_rad_s: number;
}

async function crash(driver: DriverName, enabled: boolean): Promise<Crash> {
  const twin = await startTwin({ ...TWIN_DEFAULTS, driver, token: TOKEN });
  const arm = connect({ baseUrl: twin.url, token: TOKEN });
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: START });
  await arm.runUntil({ state: 'ready', limit_s: 60 });
  const { fk } = await arm.forwardKinematics({ joints: START });
  if (fk.result !== 'success') throw new Error('the start has no pose');
  const reach = Math.hypot(fk.position.x, fk.position.y);
  await arm.addObstacle({
    name: 'crate',
    position: { x: reach * Math.cos(ANGLE_RAD), y: reach * Math.sin(ANGLE_RAD), z: fk.position.z },
    half: { x: 0.04, y: 0.04, z: 0.04 },
  });
  const sensitivity = enabled ? ({ sensitivity: 'medium' } as const) : {};
  await arm.setCollisionDetection({ enabled, ...sensitivity });
  let touched_s: number | null = null;
  let stamped_s: number | null = null;
  let state_s: number | null = null;
  twin.loop.subscribe({
    onTick(feedback, tick) {
      if (touched_s === null && Math.abs(feedback.torque_n_m[0]!) > 0 && touching(twin)) {
        touched_s = tick * TICK_S;
      }
      if (feedback.contact) stamped_s ??= feedback.contact.at_s;
      if (twin.robot.memory.state === 'collision') state_s ??= tick * TICK_S;
    },
  });
  await arm.goTo({ mode: 'automatic', joints: END, max_speed: 0.25 });
  await twin.clock.advance(6 / TICK_S);
  const { snapshot } = await arm.getSnapshot();
  const [turned_rad] = snapshot['servos.telemetry.position'];
  const speed_rad_s = snapshot['servos.telemetry.velocity'][0];
  const { state } = snapshot.control;
  await twin.close();
  return { touched_s, stamped_s, state_s, state, turned_rad, speed_rad_s };
}

function touching(twin: Awaited<ReturnType<typeof startTwin>>): boolean {
  return (twin.world?.touches().length ?? 0) > 0;
}

describe.each(['fast', 'rapier'] as const)('a crash on %s', (driver) => {
  it('is detected within 5 ms and published within a tick; the arm stops early', async () => {
    const found = await crash(driver, true);
    expect(found.state).toBe('collision');
    expect(found.touched_s).not.toBeNull();
    expect(found.stamped_s! - found.touched_s!).toBeLessThanOrEqual(0.005);
    expect(found.state_s! - found.stamped_s!).toBeLessThanOrEqual(2 * TICK_S);
    expect(found.turned_rad).toBeLessThan(ANGLE_RAD);
    expect(found.speed_rad_s).toBeCloseTo(0, 3);
  });

  it('is ignored while detection is off', async () => {
    const ignored = await crash(driver, false);
    expect(ignored.touched_s).not.toBeNull();
    expect(ignored.state).not.toBe('collision');
  });
});

it('an imperfect arm is in collision until it is acknowledged, then moves away', async () => {
  const twin = await startTwin({ ...TWIN_DEFAULTS, realism: 'worn', token: TOKEN });
  const arm = connect({ baseUrl: twin.url, token: TOKEN });
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: START });
  await arm.runUntil({ state: 'ready', limit_s: 60 });
  const { fk } = await arm.forwardKinematics({ joints: START });
  if (fk.result !== 'success') throw new Error('the start has no pose');
  const reach = Math.hypot(fk.position.x, fk.position.y);
  const [x, y] = [reach * Math.cos(ANGLE_RAD), reach * Math.sin(ANGLE_RAD)];
  const half = { x: 0.04, y: 0.04, z: 0.04 };
  await arm.addObstacle({ name: 'crate', position: { x, y, z: fk.position.z }, half });
  await arm.setCollisionDetection({ enabled: true, sensitivity: 'low' });
  await arm.goTo({ mode: 'automatic', joints: END, max_speed: 0.75 });
  await twin.clock.advance(4 / TICK_S);
  expect(twin.robot.memory.state).toBe('collision');
  expect(twin.world?.touches()).toEqual([]);
  await arm.acknowledgeCollision();
  await arm.goTo({ mode: 'automatic', joints: START });
  await arm.runUntil({ state: 'ready', limit_s: 20 });
  const { snapshot } = await arm.getSnapshot();
  expect(snapshot.control.state).toBe('ready');
  snapshot['servos.telemetry.position'].forEach((angle, joint) => {
    expect(Math.abs(angle - START[joint]!)).toBeLessThan(1e-2);
  });
  await twin.close();
});
