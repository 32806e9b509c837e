/**
 * 60 random contacts of a robot on servos of each kind: posture, joint, direction, speed, detection
 * and load are drawn, and each is watched for 5 s. The set prints what it found as a table.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { CURRENT_BASED, FAMILIES } from '../../bridge/servo/servo-arm.cases.ts';
import { InverseDynamics } from '../../physics/dynamics/inverse-dynamics.ts';
import { createPrng } from '../../physics/math/prng.ts';
import { ADA } from './robot-harness.cases.ts';
import { ServoRobot } from './servo-robot.cases.ts';

const VARIANTS = [...FAMILIES, { ...CURRENT_BASED, family: 'current-based dynamixel' }];
const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1);
/** Torque beyond gravity 5 s after a contact (N m), and the way of a joint that is freed (rad). */
const REMAINS_N_M = 6;
const FREED_RAD = 0.05;
/** Share of its way after which a joint is blocked. */
const BLOCKED_SHARE = 0.3;
const SENSITIVITIES = ['high', 'medium', 'low', null] as const;

interface Row {
  pressing_n_m: number;
  freed_rad: number;
  isTrue: boolean;
  firstCall: boolean;
  firstTry: boolean;
}

const tables = new Map<string, Row[]>();

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
  return { joint, start, way_rad, target, speed_m_s, detection };
}

function pressing({ plant }: ServoRobot): number {
  const load_n_m = new Float64Array(6);
  new InverseDynamics().gravity(plant.position_rad, load_n_m);
  return Math.max(...plant.torque_n_m.map((torque, j) => Math.abs(torque - load_n_m[j]!)));
}

async function contact(create: (typeof FAMILIES)[number]['create'], seed: number): Promise<Row> {
  const { joint, start, way_rad, target, speed_m_s, detection } = drawn(seed);
  const arm = await ServoRobot.started(create, start);
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
  const pressing_n_m = pressing(arm);
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

describe.each(VARIANTS)('random contacts of $family servos', ({ family, create }) => {
  it.each(SEEDS)('seed %i ends by force, in a true state, and is left', async (seed) => {
    const row = await contact(create, seed);
    tables.set(family, [...(tables.get(family) ?? []), row]);
    expect(row).toMatchObject({ isTrue: true, firstCall: true, firstTry: true });
    expect(row.pressing_n_m).toBeLessThanOrEqual(REMAINS_N_M);
    expect(row.freed_rad).toBeLessThanOrEqual(FREED_RAD);
  });
});

afterAll(() => {
  for (const [family, rows] of tables) {
    const most = (value: (row: Row) => number) => Math.max(...rows.map(value)).toFixed(3);
    const all = (value: (row: Row) => boolean) => rows.filter(value).length;
    process.stdout.write(
      `${family}: ${rows.length} contacts, pressing at most ${most((row) => row.pressing_n_m)} N m, ` +
        `freed ${most((row) => row.freed_rad)} rad, state true ${all((row) => row.isTrue)}, ` +
        `first call ${all((row) => row.firstCall)}, first try ${all((row) => row.firstTry)}\n`,
    );
  }
});
