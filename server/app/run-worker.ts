/**
 * Replays kept runs and tries states beside the twin: the task of the thread of replays, and
 * its start.
 */

import { Piscina } from 'piscina';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated-arm.ts';
import { refuse } from '../../contract/refusal.ts';
import { threadFile } from '../planning/planner.ts';
import type { ReplayTarget } from '../recording/replay.ts';
import {
  type RunReplayResult,
  type RunReplays,
  type RunReplayTask,
  replayRun,
} from '../simulation/run-replay.ts';
import { type SnapshotTrialTask, trySnapshot } from '../simulation/snapshot-trial.ts';

/** A twin's arm of its own; null for a driver that simulates nothing. */
function createTarget(driver: string): ReplayTarget | null {
  if (driver !== 'fast' && driver !== 'rapier') return null;
  const arm = createSimulatedArm({ plant: driver });
  return { driver: new FaultInjectingDriver(arm), world: arm.world };
}

/** Replays a run on this thread; the entry point of the thread. */
export default async function replayHere(task: RunReplayTask): Promise<RunReplayResult> {
  const { driver } = task;
  const target = createTarget(driver);
  if (target) return replayRun(task, target);
  return refuse('not_supported', `Runs of the driver ${driver} cannot be replayed`);
}

/** Tries a state on this thread. */
export async function tryHere(task: SnapshotTrialTask): Promise<string | null> {
  const target = createTarget(task.driver);
  return target ? trySnapshot(task, target) : `there is no simulated driver ${task.driver}`;
}

/**
 * Creates the function that replays a run on a thread of its own, one at a time; `inline` replays
 * on this thread.
 */
export function createRunReplays(inline: boolean): RunReplays {
  let busy = false;
  return async (task) => {
    if (inline) return replayHere(task);
    if (busy) return refuse('not_ready', { reasons: ['Another run is being replayed; try again'] });
    busy = true;
    const file = threadFile(import.meta.url, './run-worker');
    const pool = new Piscina({ ...file, minThreads: 1, maxThreads: 1 });
    try {
      return await pool.run(task);
    } finally {
      busy = false;
      await pool.destroy();
    }
  };
}
