import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import type { ReplayTarget } from '../recording/replay.ts';

/** A twin's arm of its own; null for a driver that simulates nothing. */
export function createTarget(driver: string): ReplayTarget | null {
  if (driver !== 'fast' && driver !== 'rapier') return null;
  const arm = createSimulatedArm({ plant: driver });
  return { driver: new FaultInjectingDriver(arm), world: arm.world };
}
