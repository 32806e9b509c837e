import { createSimulatedArm } from '../../../bridge/simulated/simulated-arm.ts';
import type { SimulatedDriver } from '../../cli/config.ts';
import { OptionError } from '../../cli/option-error.ts';
import type { CreateDriver } from './driver.ts';

/** The driver of an arm that is simulated by this plant. */
export function simulated(plant: SimulatedDriver): CreateDriver {
  return ({ noise_seed: seed, realism, profile, bus, calibration }) => {
    if (bus !== 'memory' || calibration !== null) {
      const given = calibration === null ? `--bus ${bus}` : `--calibration ${calibration}`;
      throw new OptionError(`The driver ${plant} simulates the arm; ${given} needs --driver servo`);
    }
    const driver = createSimulatedArm({ plant, seed, realism, profile });
    return { driver, world: driver.world, instruments: null, busStatistics: () => ({}) };
  };
}
