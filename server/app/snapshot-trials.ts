/**
 * Tries states of snapshot files in a process of their own: a state made by hand may need endless
 * time or memory, and memory that runs out in a thread ends the whole process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import type { SnapshotTrials, SnapshotTrialTask } from '../service/simulation/snapshot-trial.ts';
import { threadFile } from '../threads/thread-file.ts';
import { tryHere } from './try-here.ts';

/** A message to the process. */
export interface TrialRequest {
  readonly task: SnapshotTrialTask;
  /** Processor time of the process (s). */
  readonly limit_s: number;
}

/** The reply to it: why the state fails, or null. */
export interface TrialReply {
  readonly failure: string | null;
}

/** Processor time (s) and memory (MB) that a trial may take. */
const LIMITS = { time_s: 20, memory_mb: 256 };
/** The process ends after this time without a trial (ms). */
const IDLE_MS = 5000;

/** The process of the trials; it runs while there are any, and never delays an exit. */
class TrialProcess {
  private readonly wall: WallClock;
  private readonly limits: typeof LIMITS;
  private child: ChildProcess | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private cancelEnd: Cancel = () => {};

  constructor(wall: WallClock, limits: typeof LIMITS) {
    this.wall = wall;
    this.limits = limits;
  }

  /** Tries states one at a time. */
  try(task: SnapshotTrialTask): Promise<string | null> {
    const trial = this.last.then(() => this.tryNow(task));
    this.last = trial.catch(() => {});
    return trial;
  }

  private async tryNow(task: SnapshotTrialTask): Promise<string | null> {
    this.cancelEnd();
    this.child ??= this.start();
    const { child } = this;
    child.ref();
    child.channel?.ref();
    try {
      return await this.answerOf(child, { task, limit_s: this.limits.time_s });
    } finally {
      child.unref();
      child.channel?.unref();
      this.cancelEnd = this.wall.afterUnreferenced(IDLE_MS, () => this.end());
    }
  }

  /** Sends a state; the process answers, or ends at one of its limits. */
  private answerOf(child: ChildProcess, request: TrialRequest): Promise<string | null> {
    const { time_s, memory_mb } = this.limits;
    return new Promise((resolve) => {
      const done = (failure: string | null) => {
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        resolve(failure);
      };
      const onMessage = (message: unknown) => done((message as TrialReply).failure);
      const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
        if (signal === 'SIGKILL') done(`its trial takes more than ${time_s} s of processor time`);
        else if (signal !== null) done(`its trial takes more than ${memory_mb} MB of memory`);
        else done(`the process of its trial ended with exit code ${code}`);
      };
      const onError = ({ message }: Error) => done(`its trial did not start: ${message}`);
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      child.send(request);
    });
  }

  private start(): ChildProcess {
    const { filename, execArgv } = threadFile(import.meta.url, './trial-process');
    const child = fork(new URL(filename), [], {
      execArgv: [...execArgv, `--max-old-space-size=${this.limits.memory_mb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const forget = () => {
      if (this.child === child) this.child = null;
    };
    // A process that cannot start has an error and no exit; one that ends between trials has both.
    child.on('error', forget).once('exit', forget);
    return child;
  }

  private end(): void {
    this.child?.disconnect();
    this.child = null;
  }
}

/** The process of all twins in this process. */
let shared: TrialProcess | null = null;

/** Creates the function that tries states; `inline` tries on this thread. */
export function createSnapshotTrials(
  inline: boolean,
  wall: WallClock,
  limits = LIMITS,
): SnapshotTrials {
  if (inline) return tryHere;
  if (limits !== LIMITS) {
    const own = new TrialProcess(wall, limits);
    return (task) => own.try(task);
  }
  shared ??= new TrialProcess(wall, LIMITS);
  const trials = shared;
  return (task) => trials.try(task);
}
