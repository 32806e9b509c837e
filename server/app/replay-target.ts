import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import { isSimulated } from '../cli/config.ts';
import type { ReplayTarget } from '../recording/replay.ts';

/** A simulated arm to replay on; null for a driver that simulates nothing. */
export function createTarget(driver: string): ReplayTarget | null {
  if (!isSimulated(driver)) return null;
  const arm = createSimulatedArm({ plant: driver });
  return { driver: new FaultInjectingDriver(arm), world: arm.world };
}
