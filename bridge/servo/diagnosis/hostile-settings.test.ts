/**
 * Settings of servos that nobody has had in mind, drawn from all registers that change what a servo
 * does: each is found by the diagnosis, and a start refuses it or holds the arm all the same.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { EMULATED_CALIBRATION } from '../../dynamixel/emulated-calibration.ts';
import type { TableRegister } from '../../dynamixel/emulator/control-table.ts';
import { EMULATED_FEETECH_CALIBRATION } from '../../feetech/emulated-calibration.ts';
import type { StsTableRegister } from '../../feetech/emulator/table-memory.ts';
import type { Calibration } from '../calibration/calibration.ts';
import {
  dynamixelProof,
  dynamixelWith,
  feetechProof,
  feetechWith,
  LEANING,
} from '../start/start-proof.cases.ts';

type Settings<Name extends string> = readonly (readonly [string, Partial<Record<Name, number>>])[];

const DYNAMIXEL: Settings<TableRegister> = [
  ['a limit of heat at room temperature', { temperature_limit: 20 }],
  ["a limit of heat below the arm's", { temperature_limit: 60 }],
  ['a supply just above its limit', { voltage_min: 118 }],
  ['a supply just below its limit', { voltage_max: 122 }],
  ['torque off at each sag of the supply', { shutdown: 0x3f }],
  ['a P gain without bounds', { position_p: 16_383 }],
  ['a P gain of nothing', { position_p: 1 }],
  ['goals of an earlier day at power-up', { startup: 2 }],
  ['a slave with time-based profiles', { drive_mode: 6 }],
  ['a speed limit of nothing', { velocity_limit: 0 }],
  ['silence on reads', { status_level: 0 }],
  ['an ear for an id that no servo has', { secondary_id: 200 }],
  ['position limits that are crossed', { position_min: 3000, position_max: 1000 }],
  ['a D gain without bounds', { position_d: 16_383 }],
  ['a feed-forward without bounds', { forward_1: 16_383 }],
  ['an I gain without bounds', { position_i: 16_383 }],
  ['current control', { operating_mode: 0 }],
  ['a profile of one turn in hours', { profile_velocity: 1, profile_acceleration: 1 }],
  ['a watchdog of 20 ms', { watchdog: 1 }],
  ['a PWM limit of nothing', { pwm_limit: 0 }],
  ['a negative goal PWM', { goal_pwm: -885 }],
];

const FEETECH: Settings<StsTableRegister> = [
  ['an overload at any torque', { overload_torque: 1 }],
  ['an overload at a fifth', { overload_torque: 20 }],
  ['an overload at once', { protection_time: 0 }],
  ['a protection current of nothing', { current_max: 5 }],
  ['a P gain of nothing', { p: 0 }],
  ['a P gain without bounds', { p: 254 }],
  ['a D gain without bounds', { d: 254 }],
  ['an I gain without bounds', { i: 254 }],
  ['a goal time', { goal_time: 1000 }],
  ["a limit of heat below the arm's", { temperature_max: 40 }],
  ['a supply just above its limit', { voltage_min: 118 }],
  ['a torque of nothing', { torque_max: 10 }],
  ['a torque of nothing until power-up', { torque_limit: 10 }],
  ['wide dead bands', { dead_cw: 200, dead_ccw: 200 }],
  ['angle limits that are crossed', { angle_min: 3000, angle_max: 1000 }],
  ['half of the torque at least', { startup_force: 500 }],
  ['no protection at all', { unloading: 0 }],
  ['feedback the other way round', { phase: 0x8c }],
];

/** The servos as they were calibrated, with or without models of the drives. */
function known(calibration: Calibration, model: string, drives: boolean): Calibration {
  const joints = calibration.joints.map(({ drive, ...joint }, j) => {
    const servos = [{ id: j + 1, reverse: false, ...(model !== '' && { model, firmware: 306 }) }];
    return { ...joint, servos, ...(drives && drive && { drive }) };
  });
  return { ...calibration, joints };
}

/** What is said of servo 2, whether a start is refused, and how far a joint goes by it (rad). */
async function lookAt(proof: Awaited<ReturnType<typeof dynamixelProof>>) {
  const { problems, notes } = await proof.diagnose();
  const says = [...problems, ...notes].filter((text) => /Servo 2 /.test(text));
  const refusal = await proof.start();
  if (refusal === null) await proof.holdFor(250);
  proof.emulator.catchUp();
  const ways = LEANING.map((angle, j) => Math.abs(proof.emulator.plant.position_rad[j]! - angle));
  return { says, refusal, way_rad: Math.max(...ways) };
}

describe.each([true, false])('hostile settings, with drives in the calibration: %s', (drives) => {
  it.each(DYNAMIXEL)('of a DYNAMIXEL servo are found: %s', async (_, registers) => {
    const calibration = known(EMULATED_CALIBRATION, '', drives);
    const servos = dynamixelWith({ 2: registers });
    const { says, way_rad } = await lookAt(await dynamixelProof(servos, { calibration }));
    expect(says).not.toEqual([]);
    expect(way_rad).toBeLessThan(0.06);
  });

  it.each(FEETECH)('of a Feetech servo are found: %s', async (_, registers) => {
    const calibration = known(EMULATED_FEETECH_CALIBRATION, 'STS3215', drives);
    const servos = feetechWith({ 2: registers });
    const proof = await feetechProof(servos, { calibration });
    const { says, way_rad } = await lookAt(proof as never);
    expect(says).not.toEqual([]);
    expect(way_rad).toBeLessThan(0.06);
  });
});
