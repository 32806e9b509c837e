/** The drivers of a simulated arm. */

import { createSimulatedArm } from '../../../bridge/simulated/simulated-arm.ts';
import type { Config } from '../../cli/config.ts';
import { OptionError } from '../../cli/option-error.ts';
import type { DriverAssembly } from './driver-assembly.ts';

export function simulated(
  plant: 'rapier' | 'fast',
  { noise_seed: seed, realism, profile, bus, calibration }: Config,
): DriverAssembly {
  if (bus !== 'memory' || calibration !== null) {
    const given = calibration === null ? `--bus ${bus}` : `--calibration ${calibration}`;
    throw new OptionError(`The driver ${plant} simulates the arm; ${given} needs --driver servo`);
  }
  const driver = createSimulatedArm({ plant, seed, realism, profile });
  return { driver, world: driver.world, instruments: null, busStatistics: () => ({}) };
}
