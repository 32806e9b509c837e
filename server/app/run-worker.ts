/**
 * Replays kept runs and tries states beside the twin: the task of the thread of replays, and
 * its start.
 */

import { move, Piscina, transferableSymbol, valueSymbol } from 'piscina';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated-arm.ts';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import type { WallClock } from '../clock/clock.ts';
import { threadFile } from '../planning/planner.ts';
import type { ReplayTarget } from '../recording/replay.ts';
import {
  type RunReplays,
  type RunReplayTask,
  type RunReplayText,
  replayRun,
} from '../simulation/run-replay.ts';
import { type SnapshotTrialTask, trySnapshot } from '../simulation/snapshot-trial.ts';

/** A twin's arm of its own; null for a driver that simulates nothing. */
function createTarget(driver: string): ReplayTarget | null {
  if (driver !== 'fast' && driver !== 'rapier') return null;
  const arm = createSimulatedArm({ plant: driver });
  return { driver: new FaultInjectingDriver(arm), world: arm.world };
}

/** Replays a run on this thread. */
async function replayHere(task: RunReplayTask): Promise<RunReplayText> {
  const { driver } = task;
  const target = createTarget(driver);
  if (!target) return refuse('not_supported', `Runs of the driver ${driver} cannot be replayed`);
  const reply = await replayRun(task, target);
  if ('refused' in reply) return reply;
  return { json: new TextEncoder().encode(JSON.stringify(reply)) };
}

/** The entry point of the thread: the text of a reply is transferred. */
export default async function replayOnThread(task: RunReplayTask): Promise<unknown> {
  const value = await replayHere(task);
  if ('refused' in value) return value;
  return move({ [transferableSymbol]: value.json.buffer, [valueSymbol]: value });
}

/** Tries a state on this thread. */
export async function tryHere(task: SnapshotTrialTask): Promise<string | null> {
  const target = createTarget(task.driver);
  return target ? trySnapshot(task, target) : `there is no simulated driver ${task.driver}`;
}

/**
 * Creates the function that replays a run on a thread of its own, one at a time and as long as
 * its call may take; `inline` replays on this thread.
 */
export function createRunReplays(inline: boolean, wall: WallClock): RunReplays {
  let busy = false;
  return async (task) => {
    if (inline) return replayHere(task);
    if (busy) return refuse('not_ready', { reasons: ['Another run is being replayed; try again'] });
    busy = true;
    const file = threadFile(import.meta.url, './run-worker');
    const pool = new Piscina({ ...file, minThreads: 1, maxThreads: 1 });
    const abort = new AbortController();
    const limit_s = limits.call_plan_s;
    const cancel = wall.afterUnreferenced(limit_s * 1000, () => abort.abort());
    try {
      return await pool.run(task, { signal: abort.signal });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return refuse('timed_out', `Not replayed within ${limit_s} s`);
    } finally {
      cancel();
      busy = false;
      await pool.destroy();
    }
  };
}
