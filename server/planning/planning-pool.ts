/**
 * The planning threads of one process, shared by all its twins (decision D41): started with the
 * first planner, ended with the last. The only place that knows how work reaches a thread.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Step } from '../../physics/toolpath/program.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Halt } from '../robot/mover.ts';
import type { PlanTasks, ProgramPlan } from './plan-tasks.ts';

/** One task for a worker. */
export type TaskCall =
  | { readonly task: 'trajectory'; readonly argument: string }
  | { readonly task: 'resume'; readonly argument: Halt };

/** A program is received in pages over a port of its own. */
export interface ProgramCall {
  readonly task: 'program';
  readonly argument: string;
  readonly port: MessagePort;
}

/** Answer of a task by its name. */
export type TaskAnswer<Name extends keyof PlanTasks> = ReturnType<PlanTasks[Name]>;

const THREADS_MAX = 2;
/** Tasks that may wait; beyond, a call is refused at once. */
const QUEUE_MAX = 128;
/** A thread that has had nothing to do for so long ends (ms); one always stays. */
const IDLE_MS = 30_000;

let shared: { readonly pool: Piscina; users: number } | null = null;

/** What the planning threads of this process have before and behind them. */
export function planningFigures(): { readonly queue: number; readonly done: number } {
  return { queue: shared?.pool.queueSize ?? 0, done: shared?.pool.completed ?? 0 };
}

/** How a thread finds its file. */
export interface ThreadFile {
  readonly filename: string;
  readonly execArgv?: string[];
}

/**
 * The file that threads run, `name` without its ending and relative to the module at `base`:
 * sources go through a loader, built files run as they are.
 */
export function threadFile(base: string, name: string): ThreadFile {
  const source = base.endsWith('.ts');
  const filename = new URL(`${name}${source ? '.ts' : '.js'}`, base).href;
  return source ? { filename, execArgv: ['--import', 'tsx'] } : { filename };
}

export class PlanningPool {
  private open = true;
  private readonly pool: Piscina;

  constructor() {
    shared ??= { pool: startPool(), users: 0 };
    shared.users++;
    this.pool = shared.pool;
  }

  /**
   * Runs a task on a thread; `busy` when too many wait already. Rejects when `signal` aborts (the
   * thread is then ended and replaced), and on a bug in the task.
   */
  async run<Call extends TaskCall>(
    call: Call,
    signal: AbortSignal,
  ): Promise<TaskAnswer<Call['task']> | 'busy'> {
    if (this.pool.queueSize >= QUEUE_MAX) return 'busy';
    return this.pool.run(call, { signal });
  }

  /** As `run`, for a program; no more than a page of its steps is received at a time. */
  async runProgram(
    argument: string,
    signal: AbortSignal,
    wall: WallClock,
  ): Promise<ProgramPlan | 'busy'> {
    if (this.pool.queueSize >= QUEUE_MAX) return 'busy';
    const { port1, port2 } = new MessageChannel();
    const steps: Step[] = [];
    port1.on('message', (page: readonly Step[]) => {
      for (const step of page) steps.push(step);
      wall.soon(() => port1.postMessage('next'));
    });
    try {
      const call: ProgramCall = { task: 'program', argument, port: port2 };
      const plan: ProgramPlan = await this.pool.run(call, { signal, transferList: [port2] });
      if (plan.kind !== 'built') return plan;
      return { ...plan, program: { ...plan.program, steps } };
    } finally {
      port1.close();
    }
  }

  /** Gives the threads up; the last planner of the process ends them. */
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
    maxThreads: THREADS_MAX,
    idleTimeout: IDLE_MS,
  });
}
