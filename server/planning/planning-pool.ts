/**
 * The pool of planning threads, shared by all twins of a process (decision D41). It starts with the
 * first planner and ends with the last one.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { shares } from '../../contract/shares.ts';
import type { ProgramStep } from '../../physics/toolpath/program.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ToolpathTask } from '../robot/loaded-toolpath.ts';
import type { PausedMotion } from '../robot/trajectory-player.ts';
import type { Claimant, Owner } from '../shares/claimant.ts';
import { FairQueue } from '../shares/fair-queue.ts';
import { Share, type ShareRefusal } from '../shares/share.ts';
import type { Usage } from '../shares/usage.ts';
import { threadFile } from '../threads/thread-file.ts';
import type { CellTask, PlanTasks, ProgramPlan } from './plan-tasks.ts';

/** A task call to a thread. */
export type PlanTaskCall =
  | { readonly task: 'trajectory'; readonly argument: ToolpathTask }
  | { readonly task: 'resume'; readonly argument: PausedMotion }
  | { readonly task: 'cellCheck'; readonly argument: CellTask };

/** A program task; the thread sends the steps in pages over the port. */
export interface ProgramTaskCall {
  readonly task: 'program';
  readonly argument: ToolpathTask;
  readonly port: MessagePort;
}

/** Result of a task by its name. */
export type PlanTaskResult<Name extends keyof PlanTasks> = ReturnType<PlanTasks[Name]>;

/** An idle thread ends after this time (ms); one always stays. */
const IDLE_MS = 30_000;

/** The threads, and who takes turns on them: the users of all twins of the process. */
interface SharedPool {
  readonly pool: Piscina;
  readonly queue: FairQueue;
  users: number;
}

let shared: SharedPool | null = null;
let lastNumber = 0;

/** Queued and completed tasks of this process, for /metrics. */
export function planningMetrics(): { readonly queue: number; readonly done: number } {
  return { queue: shared?.queue.waiting.used ?? 0, done: shared?.pool.completed ?? 0 };
}

/** What the users of all twins of this process have there: their plans that wait, and in progress. */
export function planningUsage(): Usage {
  const ofUsers = (owners: ReadonlyMap<Owner, number> = new Map()) => {
    const sums = new Map<Owner, number>();
    for (const [key, count] of owners) {
      const [, owner = ''] = String(key).split(' ');
      const user = /^\d+$/.test(owner) ? Number(owner) : owner;
      sums.set(user, (sums.get(user) ?? 0) + count);
    }
    return sums;
  };
  return {
    planning_queue: ofUsers(shared?.queue.waiting.owners),
    planning_threads: ofUsers(shared?.queue.running.owners),
  };
}

export class PlanningPool {
  private open = true;
  private readonly pool: Piscina;
  private readonly queue: FairQueue;
  /** Tells the users of one twin from those of another. */
  private readonly number = ++lastNumber;

  constructor() {
    shared ??= {
      pool: startPool(),
      queue: new FairQueue(new Share(shares.planning_threads), new Share(shares.planning_queue)),
      users: 0,
    };
    shared.users++;
    this.pool = shared.pool;
    this.queue = shared.queue;
  }

  /** Plans when the claimant has a turn; refuses at once where too much of theirs waits. */
  inTurn<Value>(claimant: Claimant, plan: () => Promise<Value>): Promise<Value | ShareRefusal> {
    return this.queue.run({ ...claimant, owner: `${this.number} ${claimant.owner}` }, plan);
  }

  /**
   * Runs a task on a thread. Rejects when `signal` aborts (the thread is then terminated and
   * replaced), and on a bug in the task.
   */
  run<Call extends PlanTaskCall>(
    call: Call,
    signal: AbortSignal,
  ): Promise<PlanTaskResult<Call['task']>> {
    return this.pool.run(call, { signal });
  }

  /** As `run`, for a program; receives its steps one page at a time. */
  async runProgram(
    argument: ToolpathTask,
    signal: AbortSignal,
    wall: WallClock,
  ): Promise<ProgramPlan> {
    const { port1, port2 } = new MessageChannel();
    const steps: ProgramStep[] = [];
    port1.on('message', (page: readonly ProgramStep[]) => {
      for (const step of page) steps.push(step);
      wall.soon(() => port1.postMessage('next'));
    });
    try {
      const call: ProgramTaskCall = { task: 'program', argument, port: port2 };
      const plan: ProgramPlan = await this.pool.run(call, { signal, transferList: [port2] });
      if (plan.kind !== 'built') return plan;
      return { ...plan, program: { ...plan.program, steps } };
    } finally {
      port1.close();
    }
  }

  /** Releases the threads; the last planner of the process terminates them. */
  async close(): Promise<void> {
    if (!this.open || !shared) return;
    this.open = false;
    shared.users--;
    if (shared.users > 0) return;
    shared = null;
    await this.pool.destroy();
  }
}

function startPool(): Piscina {
  return new Piscina({
    ...threadFile(import.meta.url, './plan-worker'),
    minThreads: 1,
    maxThreads: shares.planning_threads.total,
    idleTimeout: IDLE_MS,
  });
}
