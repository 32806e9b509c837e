import { type SnapshotTrialTask, trySnapshot } from '../service/simulation/snapshot-trial.ts';
import { createTarget } from './replay-target.ts';

/** Tries a state on this thread. */
export async function tryHere(task: SnapshotTrialTask): Promise<string | null> {
  const target = createTarget(task.driver);
  return target ? trySnapshot(task, target) : `there is no simulated driver ${task.driver}`;
}
