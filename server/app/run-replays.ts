import { Piscina } from 'piscina';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { shares } from '../../contract/shares.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { RunReplays, RunReplayTask, RunReplayText } from '../service/simulation/run-replay.ts';
import { FairQueue } from '../shares/fair-queue.ts';
import { Share } from '../shares/share.ts';
import { threadFile } from '../threads/thread-file.ts';
import { replayHere } from './run-worker.ts';

/** Replays kept runs, each on a thread of its own: those who ask take turns. */
export class RunReplayThreads {
  readonly queue: FairQueue = new FairQueue(
    new Share(shares.run_replays),
    new Share(shares.run_replay_queue),
  );
  private readonly wall: WallClock;
  private readonly isInline: boolean;

  /** `isInline` replays on this thread. */
  constructor(isInline: boolean, wall: WallClock) {
    this.isInline = isInline;
    this.wall = wall;
  }

  /** Replays a run in the turn of who asks for it. */
  readonly replay: RunReplays = (task, claimant) =>
    this.queue.run(claimant, () => (this.isInline ? replayHere(task) : this.onThread(task)));

  /** Replays it as long as its call may take. */
  private async onThread(task: RunReplayTask): Promise<RunReplayText | Refusal<'timed_out'>> {
    const file = threadFile(import.meta.url, './run-worker');
    const pool = new Piscina({ ...file, minThreads: 1, maxThreads: 1 });
    const abort = new AbortController();
    const limit_s = limits.call_plan_s;
    const cancel = this.wall.afterUnreferenced(limit_s * 1000, () => abort.abort());
    try {
      return await pool.run(task, { signal: abort.signal });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return refuse('timed_out', `Not replayed within ${limit_s} s`);
    } finally {
      cancel();
      await pool.destroy();
    }
  }
}
