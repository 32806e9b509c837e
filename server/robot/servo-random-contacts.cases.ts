/**
 * Random contacts of a robot on servos: posture, joint, direction, speed, detection and load are
 * drawn, and each is watched for 5 s (test code).
 */

import { expect } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { ADA } from './robot-harness.cases.ts';
import { type SERVO_DRIVERS, ServoRobot } from './servo-robot.cases.ts';

/** Torque beyond gravity 5 s after a contact (N m), and the way of a joint that is freed (rad). */
const REMAINS_N_M = 6;
const FREED_RAD = 0.05;
/** Share of its way after which a joint is blocked. */
const BLOCKED_SHARE = 0.3;
const SENSITIVITIES = ['high', 'medium', 'low', null] as const;
/** Loads that toolpaths name (kg). */
const LOADS_KG = [0, 0.75];

/** What a contact came to. */
export interface ContactRow {
  pressing_n_m: number;
  freed_rad: number;
  isTrue: boolean;
  firstCall: boolean;
  firstTry: boolean;
}

/** A contact that is drawn: the arm moves one of its first joints, which is blocked. */
function drawn(seed: number) {
  const random = createPrng(seed);
  const between = (low: number, high: number) => low + random() * (high - low);
  const joint = Math.floor(random() * 3);
  const start = [between(-1, 1), between(-0.2, 0.6), between(-1.7, -1), 0, between(-1.3, -0.5), 0];
  // Without detection the rest of the way must be more than the lag that counts as an error.
  const way_rad = between(0.5, 0.7) * (random() < 0.5 ? -1 : 1);
  const target = start.map((angle, j) => angle + (j === joint ? way_rad : 0));
  const speed_m_s = Math.exp(between(Math.log(0.05), Math.log(1.5)));
  const detection = SENSITIVITIES[Math.floor(random() * 4)]!;
  const payload_kg = LOADS_KG[Math.floor(random() * 2)]!;
  return { joint, start, way_rad, target, speed_m_s, detection, payload_kg };
}

/** Plays the contact of a seed. */
export async function playServoContact(
  create: (typeof SERVO_DRIVERS)[number]['create'],
  seed: number,
): Promise<ContactRow> {
  const { joint, start, way_rad, target, speed_m_s, detection, payload_kg } = drawn(seed);
  const arm = await ServoRobot.started(create, start);
  arm.carry(payload_kg);
  await arm.advance(0.5);
  const enabled = detection !== null;
  const sensitivity = detection ?? 'medium';
  arm.apply({ kind: 'collision_detection', caller: ADA, enabled, sensitivity });
  const at = arm.plant.position_rad[joint]!;
  arm.goTo(target, speed_m_s);
  const gone = () => (arm.plant.position_rad[joint]! - at) * Math.sign(way_rad);
  await arm.advance(
    30,
    () => gone() > BLOCKED_SHARE * Math.abs(way_rad) || arm.state !== 'running',
  );
  arm.plant.blocked.add(joint);
  await arm.advance(30, () => arm.state !== 'running');
  const state = arm.state;
  await arm.advance(5);
  const isTrue = state === (enabled ? 'collision' : 'error') && arm.state === state;
  const pressing_n_m = arm.pressing_n_m(payload_kg);
  arm.plant.blocked.clear();
  const before = Array.from(arm.plant.position_rad);
  await arm.advance(1);
  const ways = before.map((angle, j) => Math.abs(arm.plant.position_rad[j]! - angle));
  const kind = arm.state === 'collision' ? 'acknowledge_collision' : 'reset_errors';
  const firstCall = arm.apply({ kind, caller: ADA }) === null;
  await arm.advance(3, () => arm.state === 'ready');
  arm.goTo(start, 0.25);
  await arm.advance(15, () => arm.state !== 'running');
  const firstTry = arm.state === 'ready';
  await arm.close();
  return { pressing_n_m, freed_rad: Math.max(...ways), isTrue, firstCall, firstTry };
}

/** Expects that a contact is left: at rest, not pressing, in a true state, and left at once. */
export function expectLeft(row: ContactRow): void {
  expect(row).toMatchObject({ isTrue: true, firstCall: true, firstTry: true });
  expect(row.pressing_n_m).toBeLessThanOrEqual(REMAINS_N_M);
  expect(row.freed_rad).toBeLessThanOrEqual(FREED_RAD);
}

/** A line of the table of contacts. */
export function lineOf(family: string, rows: readonly ContactRow[]): string {
  const most = (value: (row: ContactRow) => number) => Math.max(...rows.map(value)).toFixed(3);
  const all = (value: (row: ContactRow) => boolean) => rows.filter(value).length;
  return (
    `${family}: ${rows.length} contacts, pressing at most ${most((row) => row.pressing_n_m)} N m, ` +
    `freed ${most((row) => row.freed_rad)} rad, state true ${all((row) => row.isTrue)}, ` +
    `first call ${all((row) => row.firstCall)}, first try ${all((row) => row.firstTry)}`
  );
}
