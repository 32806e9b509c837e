/** A twin on servos plans in the range of its calibration, and says so. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../contract/client.ts';
import { createTwin } from './index.ts';

const FIXTURE = new URL('../fixtures/servos/dynamixel.json', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'armtwin-range-'));
let twin: Awaited<ReturnType<typeof createTwin>>;

beforeAll(async () => {
  const calibration = JSON.parse(readFileSync(FIXTURE, 'utf8'));
  calibration.joints[0].max_rad = 0.5;
  const file = join(folder, 'arm.json');
  writeFileSync(file, JSON.stringify(calibration));
  twin = await createTwin({ driver: 'servo', calibration: file, clock: 1 });
});

afterAll(async () => {
  await twin.close();
  rmSync(folder, { recursive: true });
});

const OUTSIDE = [0.7, 0, 0, 0, 0, 0] as const;

it('refuses poses and motions beyond it, and shows it', async () => {
  const arm = await connect({ baseUrl: twin.url, token: twin.token });
  const { pose } = await arm.checkPose({ joints: [...OUTSIDE] });
  expect(pose).toMatchObject({ valid: false, status: expect.stringMatching(/to 0\.5000 rad/) });
  const { fk } = await arm.forwardKinematics({ joints: [...OUTSIDE] });
  expect(fk).toMatchObject({ result: 'error', error: 'j0_boundary_limit' });
  expect((await arm.checkPose({ joints: [0.4, 0, 0, 0, 0, 0] })).pose.valid).toBe(true);
  await arm.takeLock();
  await expect(arm.goTo({ mode: 'automatic', joints: [...OUTSIDE] })).rejects.toMatchObject({
    status: 400,
    details: expect.objectContaining({ code: 'j0_boundary_limit' }),
  });
  const { joint_range } = await arm.getFidelity();
  expect(joint_range.max_rad[0]).toBe(0.5);
});
