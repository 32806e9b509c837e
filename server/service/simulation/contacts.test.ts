/** Contacts and loads over HTTP: a post in the way of the tool alone, and what the arm carries. */

import { describe, expect, it } from 'vitest';
import { connect } from '../../../contract/client.ts';
import type { Joints } from '../../../contract/types.generated.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../../physics/kinematics/forward.ts';
import { startTwin } from '../../app/app.ts';
import { TWIN_DEFAULTS } from '../../cli/config.ts';

const TOKEN = 'token of the test';
const START: Joints = [-0.7, -0.9, -0.6, 0, -1.2, 0];
const END: Joints = [1.5, -0.9, -0.6, 0, -1.2, 0];
const TOOL = {
  offsets: { x: 0, y: 0, z: 0.16 },
  rotations: { x: 0, y: 0, z: 0 },
  radius: 0.03,
};

/** The point 130 mm beyond the flange in the middle of the move. */
function onTheWay(): { x: number; y: number; z: number } {
  const frames = createFrames();
  forward([0.4, ...START.slice(1)], frames);
  const at = FLANGE_FRAME * FRAME_SIZE;
  const part = (k: number): number => frames[at + 9 + k]! + 0.13 * frames[at + 3 * k + 2]!;
  return { x: part(0), y: part(1), z: part(2) };
}

async function openArm(driver: 'fast' | 'rapier') {
  const twin = await startTwin({ ...TWIN_DEFAULTS, driver, token: TOKEN });
  const arm = connect({ baseUrl: twin.url, token: TOKEN });
  await arm.takeLock();
  return { twin, arm };
}

describe.each(['fast', 'rapier'] as const)('contacts on %s', (driver) => {
  it('have the time of the twin after a reset of the state alone', async () => {
    const { twin, arm } = await openArm(driver);
    await twin.clock.advance(2500);
    await arm.resetTwin({ scopes: ['state'] });
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: START });
    await arm.runUntil({ state: 'ready', limit_s: 60 });
    const half = { x: 0.015, y: 0.015, z: 0.015 };
    await arm.addObstacle({ name: 'post', position: onTheWay(), half });
    await arm.setCollisionDetection({ enabled: true, sensitivity: 'medium' });
    const { now_s } = await arm.getClock();
    await arm.goTo({ mode: 'automatic', joints: END, max_speed: 0.5, tcp_config: TOOL });
    await arm.runUntil({ state: 'collision', limit_s: 60 });
    const { contacts } = await arm.listContacts();
    await twin.close();
    expect(contacts[0]!.at_s).toBeGreaterThan(now_s);
  });

  it.each([true, false])('hit a post where only the tool passes, mounted: %s', async (mounted) => {
    const { twin, arm } = await openArm(driver);
    await arm.goTo({ mode: 'automatic', joints: START });
    await arm.runUntil({ state: 'ready', limit_s: 60 });
    const half = { x: 0.015, y: 0.015, z: 0.015 };
    await arm.addObstacle({ name: 'post', position: onTheWay(), half });
    await arm.setCollisionDetection({ enabled: true, sensitivity: 'medium' });
    const tool = mounted ? { tcp_config: TOOL } : {};
    await arm.goTo({ mode: 'automatic', joints: END, max_speed: 0.5, ...tool });
    const state = mounted ? 'collision' : 'ready';
    await arm.runUntil({ state, limit_s: 60 });
    await twin.clock.advance(500);
    const { snapshot } = await arm.getSnapshot();
    expect(snapshot.control.state).toBe(state);
    const { contacts, force_limits } = await arm.listContacts();
    await twin.close();
    expect(force_limits).toHaveLength(12);
    expect(contacts).toHaveLength(mounted ? 1 : 0);
    if (!mounted) return;
    const [contact] = contacts;
    expect(contact).toMatchObject({ link: 7, body: 'tool', obstacle: 'post', detected: true });
    expect(contact!.speed_m_s).toBeGreaterThan(0.1);
    expect(contact!.speed_m_s).toBeLessThan(0.55);
    expect(contact!.peak_force_n).toBeGreaterThan(10);
    expect(contact!.residual_force_n).toBe(0);
    expect(contact!.ended_s! - contact!.at_s).toBeLessThan(1);
    expect(
      Math.hypot(contact!.place.x - onTheWay().x, contact!.place.z - onTheWay().z),
    ).toBeLessThan(0.04);
  });
});

describe('the real load', () => {
  it('lets an arm sag that expects nothing, and restores with a reset', async () => {
    const { twin, arm } = await openArm('fast');
    await arm.goTo({ mode: 'automatic', joints: START });
    await arm.runUntil({ state: 'ready', limit_s: 60 });
    const before = (await arm.getSnapshot()).snapshot['servos.telemetry.position'];
    await arm.setLoad({ mass_kg: 1.25, centre_of_mass_m: { x: 0, y: 0, z: 0.1 } });
    await twin.clock.advance(250);
    const after = (await arm.getSnapshot()).snapshot['servos.telemetry.position'];
    const sag = Math.max(...after.map((angle, j) => Math.abs(angle - before[j]!)));
    expect(sag).toBeGreaterThan(2e-4);
    expect(sag).toBeLessThan(0.01);
    await arm.resetTwin({ scopes: ['state'] });
    expect((await arm.getLoad()).load).toBeNull();
    await twin.close();
  });
});
