/** Both plants behind the port keep what the port and the world promise. */
import { armDriverCases } from './arm-driver.cases.ts';
import { armWorldCases } from './arm-world.cases.ts';
import { createSimulatedArm } from './simulated-arm.ts';

for (const plant of ['fast', 'rapier'] as const) {
  const create = () => createSimulatedArm({ plant, seed: 7 });
  armDriverCases(plant, create, { tracking_rad: 1e-5 });
  armWorldCases(plant, create);
}
