/**
 * The oracles of the default arm over every other arm that comes with the program: MuJoCo and
 * urdf-loader against the exports and the dynamics, both plants against each other, and the arm on its
 * emulated servos, from the calibration on, and at its cell. A process has one arm, so each arm has a run of its own.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { SHIPPED_ARMS } from './shipped-arms.ts';

const FILES = [
  'physics/dynamics/mujoco.test.ts',
  'physics/formats/robot-models.test.ts',
  'physics/plant/engines.test.ts',
  'server/robot/arm-servos.test.ts',
  'server/cli/commands/calibrate-arm.test.ts',
  'server/cli/commands/rehearse-arm.test.ts',
];
const OTHERS = Object.keys(SHIPPED_ARMS).filter((name) => name !== 'default');

it.each(OTHERS)('%s agrees with the oracles', async (name) => {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...FILES];
  const env = { ...process.env, ARMTWIN_ARM: name, NO_COLOR: '1', FORCE_COLOR: '0' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(stdout).toMatch(/Test Files.* 6 passed/);
});
