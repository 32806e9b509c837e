/** The table of what can stand behind the joints; the composition root picks a row by name. */
import type { ArmDriver } from '../bridge/arm-driver.ts';
import type { ArmWorld } from '../bridge/arm-world.ts';
import { createSimulatedArm } from '../bridge/simulated-arm.ts';
import type { Config, DriverName } from './config.ts';

/** A driver, with the world around it where there is one to reach into. */
export interface Drivable {
  readonly driver: ArmDriver;
  readonly world: ArmWorld | null;
}

function simulated(plant: 'rapier' | 'fast', { noise_seed }: Config): Drivable {
  const driver = createSimulatedArm({ plant, seed: noise_seed });
  return { driver, world: driver.world };
}

export const drivers: Readonly<Record<DriverName, (config: Config) => Drivable>> = {
  rapier: (config) => simulated('rapier', config),
  fast: (config) => simulated('fast', config),
};
