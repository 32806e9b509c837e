/** Replays kept runs beside the twin: the task of the thread, and its start. */

import { Piscina } from 'piscina';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated-arm.ts';
import { refuse } from '../../contract/refusal.ts';
import { threadFile } from '../planning/planner.ts';
import {
  type RunReplayResult,
  type RunReplays,
  type RunReplayTask,
  replayRun,
} from '../simulation/run-replay.ts';

/** Replays a run on this thread; the entry point of the thread. */
export default async function replayHere(task: RunReplayTask): Promise<RunReplayResult> {
  const { driver } = task;
  if (driver !== 'fast' && driver !== 'rapier') {
    return refuse('not_supported', `Runs of the driver ${driver} cannot be replayed`);
  }
  const arm = createSimulatedArm({ plant: driver });
  return replayRun(task, { driver: new FaultInjectingDriver(arm), world: arm.world });
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
