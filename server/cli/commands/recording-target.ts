import { createTarget } from '../../app/replay-target.ts';
import type { ParsedRecording } from '../../recording/recording-format.ts';
import type { ReplayTarget } from '../../recording/replay.ts';

/** Creates the simulated driver of a recording; recordings of real arms cannot be replayed. */
export function createReplayTarget({ header: { driver } }: ParsedRecording): ReplayTarget {
  const target = createTarget(driver);
  if (target) return target;
  throw new Error(`A recording of the driver ${driver} cannot be replayed: its arm is real`);
}
