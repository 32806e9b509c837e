import { FaultInjectingDriver } from '../../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../../bridge/simulated/simulated-arm.ts';
import type { ParsedRecording } from '../../recording/recording-format.ts';
import type { ReplayTarget } from '../../recording/replay.ts';

/** Creates the simulated driver of a recording; recordings of real arms cannot be replayed. */
export function createReplayTarget({ header: { driver } }: ParsedRecording): ReplayTarget {
  if (driver !== 'fast' && driver !== 'rapier') {
    throw new Error(`A recording of the driver ${driver} cannot be replayed: its arm is real`);
  }
  const arm = createSimulatedArm({ plant: driver });
  return { driver: new FaultInjectingDriver(arm), world: arm.world };
}
