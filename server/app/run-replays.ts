import { Piscina } from 'piscina';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { RunReplays } from '../service/simulation/run-replay.ts';
import { threadFile } from '../threads/thread-file.ts';
import { replayHere } from './run-worker.ts';

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
