/**
 * Motion planning for the server without blocking the control loop: cheap tasks run inline, the
 * others on planning threads; results are cached by hash. Failed plans are results; only bugs
 * reject. §4.2, §4.3, §4.5; decisions D16, D41. Also: its cache; the pool of planning threads.
 */

import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { failure, type Result, success } from '../../contract/refusal.ts';
import type { Trajectory } from '../../contract/types.ts';
import type { ArmRange } from '../../physics/arm/arm-model.ts';
import type { TimeProfile } from '../../physics/motion/jerk-phases.ts';
import type { MotionTiming } from '../../physics/motion/limits.ts';
import type { GoToRequest, GoToResult } from '../../physics/toolpath/plan-segment.ts';
import type { ProgramStep } from '../../physics/toolpath/program.ts';
import type { WallClock } from '../clock/clock.ts';
import type { ToolpathText } from '../documents/document-tasks.ts';
import type { LoadedToolpath, ToolpathTask } from '../robot/commands.ts';
import type { PausedMotion } from '../robot/trajectory-player.ts';
import {
  type PlanError,
  type PlanTasks,
  type ProgramPlan,
  planTasks,
  type TrajectoryText,
} from './plan-tasks.ts';

/**
 * LRU cache of planning results, keyed by the hash of the toolpath and limited in bytes. Concurrent
 * calls for the same key share one planning task.
 */
interface Entry<Value> {
  readonly result: Promise<Value>;
  bytes: number;
}

export class PlanCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly limit_bytes: number;
  private readonly sizeOf: (value: Value) => number | null;
  private used_bytes = 0;

  /** `sizeOf` returns the bytes of a value, or null for a value that is not cached. */
  constructor(limit_bytes: number, sizeOf: (value: Value) => number | null) {
    this.limit_bytes = limit_bytes;
    this.sizeOf = sizeOf;
  }

  /** The result for `key`, planned by `plan` unless cached. Rejections are not cached. */
  get(key: string, plan: () => Promise<Value>): Promise<Value> {
    const known = this.entries.get(key);
    if (known) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known.result;
    }
    const entry: Entry<Value> = { result: plan(), bytes: 0 };
    this.entries.set(key, entry);
    entry.result.then(
      (value) => this.account(key, entry, this.sizeOf(value)),
      () => this.evict(key, entry),
    );
    return entry.result;
  }

  /** Bytes of all cached results. */
  get bytes(): number {
    return this.used_bytes;
  }

  private evict(key: string, entry: Entry<Value>): void {
    if (this.entries.get(key) !== entry) return;
    this.entries.delete(key);
    this.used_bytes -= entry.bytes;
  }

  private account(key: string, entry: Entry<Value>, bytes: number | null): void {
    if (this.entries.get(key) !== entry) return;
    if (bytes === null) {
      this.evict(key, entry);
      return;
    }
    entry.bytes = bytes;
    this.used_bytes += bytes;
    for (const [oldKey, old] of this.entries) {
      if (this.used_bytes <= this.limit_bytes) return;
      this.evict(oldKey, old);
    }
  }
}

export interface PlannerOptions {
  readonly wall: WallClock;
  /** Plans everything on the calling thread, for tests and tools. */
  readonly inline?: boolean;
  /** Size of the trajectory cache, and of the program cache (bytes). */
  readonly cache_bytes?: number;
  /** Time limit of one build, wall time (s). */
  readonly build_limit_s?: number;
  /** The present timing of the arm's planner; default: always that of the model. */
  readonly timing?: () => MotionTiming | null;
  /** Range of the joints; null or absent: that of the model. */
  readonly range?: ArmRange | null;
}

/** The result of a build, as replies contain it. */
export interface BuiltTrajectory {
  readonly outcome: { readonly kind: 'built' } | PlanError;
  /** The trajectory as JSON text (UTF-8). */
  readonly json: Uint8Array;
  /** The trajectory as an object; parsed on the calling thread at access. */
  readonly trajectory: Trajectory;
}

/** A toolpath with its program. */
export type LoadedPlan = { readonly kind: 'built'; readonly loaded: LoadedToolpath } | PlanError;

/** A toolpath to load under a name, with the present timing unless another is given. */
export interface LoadRequest {
  readonly name: string;
  readonly toolpath: ToolpathText;
  readonly timing?: MotionTiming | null;
}

export interface Planner {
  /** Builds the trajectory of a toolpath that passed schema and toolpath check. */
  build(toolpath: ToolpathText): Promise<BuiltTrajectory>;
  /** Builds what the robot executes. The program is shared by all callers: read only. */
  load(request: LoadRequest): Promise<LoadedPlan>;
  /** What is planned of a toolpath with the present timing, for another thread. */
  taskOf(toolpath: ToolpathText): ToolpathTask;
  goTo(request: GoToRequest): Promise<GoToResult>;
  /** Plans the rest of a paused motion; the profile starts at the motion's `s`. */
  resume(motion: PausedMotion): Promise<TimeProfile>;
  /** Releases the planning threads. */
  close(): Promise<void>;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const BUILD_LIMIT_S = 120;
/** Approximate size of a step without its numeric data (bytes). */
const STEP_BYTES = 400;

/** Resuming a joint-space line is cheap; a path table needs a time-optimal search. */
function isCheap({ path }: PausedMotion): boolean {
  return path.kind === 'line';
}

class LazyTrajectory implements BuiltTrajectory {
  readonly outcome: BuiltTrajectory['outcome'];
  readonly json: Uint8Array;

  constructor({ outcome, json }: TrajectoryText) {
    this.outcome = outcome;
    this.json = json;
  }

  get trajectory(): Trajectory {
    return JSON.parse(new TextDecoder().decode(this.json)) as Trajectory;
  }
}

class ThreadedPlanner implements Planner {
  private readonly options: PlannerOptions;
  private readonly pool: PlanningPool | null;
  private readonly trajectories: PlanCache<BuiltTrajectory>;
  private readonly programs: PlanCache<ProgramPlan>;

  constructor(options: PlannerOptions) {
    this.options = options;
    this.pool = options.inline ? null : new PlanningPool();
    const limit_bytes = options.cache_bytes ?? CACHE_BYTES;
    this.trajectories = new PlanCache(limit_bytes, ({ outcome, json }) =>
      isTransient(outcome) ? null : json.byteLength,
    );
    this.programs = new PlanCache(limit_bytes, programBytes);
  }

  build(toolpath: ToolpathText): Promise<BuiltTrajectory> {
    const argument = this.taskOf(toolpath);
    return this.trajectories.get(keyOf(toolpath, argument), async () => {
      if (!this.pool) return new LazyTrajectory(planTasks.trajectory(argument));
      const { pool } = this;
      const result = await this.withTimeLimit((signal) =>
        pool.run({ task: 'trajectory', argument }, signal),
      );
      return new LazyTrajectory(result.ok ? result.value : errorTrajectory(result.error));
    });
  }

  private program(toolpath: ToolpathText, argument: ToolpathTask): Promise<ProgramPlan> {
    return this.programs.get(keyOf(toolpath, argument), async () => {
      if (!this.pool) return planTasks.program(argument);
      const { pool } = this;
      const { wall } = this.options;
      const result = await this.withTimeLimit((signal) => pool.runProgram(argument, signal, wall));
      return result.ok ? result.value : result.error;
    });
  }

  async load({ name, toolpath, timing: wanted }: LoadRequest): Promise<LoadedPlan> {
    const task = this.taskOf(toolpath, wanted);
    const plan = await this.program(toolpath, task);
    if (plan.kind !== 'built') return plan;
    const { hash, metadata } = toolpath;
    const { timing, range } = task;
    const { deflated: toolpath_deflated, sha256: program_sha256 } = plan;
    const source = { toolpath_deflated, timing, range, program_sha256 };
    return { kind: 'built', loaded: { name, hash, program: plan.program, source, metadata } };
  }

  async goTo(request: GoToRequest): Promise<GoToResult> {
    return planTasks.goTo({ ...request, range: this.options.range ?? null });
  }

  async resume(motion: PausedMotion): Promise<TimeProfile> {
    const { pool } = this;
    if (!pool || isCheap(motion)) return planTasks.resume(motion);
    const call = { task: 'resume', argument: motion } as const;
    const result = await this.withTimeLimit((signal) => pool.run(call, signal));
    return result.ok ? result.value : planTasks.resume(motion);
  }

  taskOf({ json: toolpath }: ToolpathText, timing = this.options.timing?.() ?? null): ToolpathTask {
    return { toolpath, timing, range: this.options.range ?? null };
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }

  /** Runs a task within the time limit; fails when it takes longer or the queue is full. */
  private async withTimeLimit<Value extends object>(
    start: (signal: AbortSignal) => Promise<Value | 'busy'>,
  ): Promise<Result<Value, PlanError>> {
    const limit_s = this.options.build_limit_s ?? BUILD_LIMIT_S;
    const abort = new AbortController();
    const cancel = this.options.wall.afterUnreferenced(limit_s * 1000, () => abort.abort());
    try {
      const value = await start(abort.signal);
      return value === 'busy' ? failure(transientError(BUSY)) : success(value);
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return failure(transientError(`The toolpath was not planned within ${limit_s} s`));
    } finally {
      cancel();
    }
  }
}

/** The key of a build in the cache: another timing is another motion. The range never changes. */
function keyOf({ hash }: ToolpathText, { timing }: ToolpathTask): string {
  return timing ? `${hash} ${JSON.stringify(timing)}` : hash;
}

const BUSY = 'Too many toolpaths are being planned; try again';

/** An error that is not caused by the toolpath; its empty path excludes it from the cache. */
function transientError(reason: string): PlanError {
  return {
    kind: 'hard',
    error: `${reason} (generation_error).`,
    code: 'generation_error',
    path: '',
  };
}

function isTransient(outcome: { readonly kind: string; readonly path?: string }): boolean {
  return outcome.path === '';
}

function errorTrajectory(outcome: PlanError): TrajectoryText {
  return { outcome, json: new TextEncoder().encode(JSON.stringify({ error: outcome.error })) };
}

function programBytes(plan: ProgramPlan): number | null {
  if (plan.kind !== 'built') return isTransient(plan) ? null : STEP_BYTES;
  return plan.bytes + plan.program.steps.length * STEP_BYTES;
}

/** Creates a planner on the shared planning threads, or an inline one. */
export function createPlanner(options: PlannerOptions): Planner {
  return new ThreadedPlanner(options);
}

/**
 * The pool of planning threads, shared by all twins of a process (decision D41). It starts with the
 * first planner and ends with the last one.
 */

/** A task call to a thread. */
export type PlanTaskCall =
  | { readonly task: 'trajectory'; readonly argument: ToolpathTask }
  | { readonly task: 'resume'; readonly argument: PausedMotion };

/** A program task; the thread sends the steps in pages over the port. */
export interface ProgramTaskCall {
  readonly task: 'program';
  readonly argument: ToolpathTask;
  readonly port: MessagePort;
}

/** Result of a task by its name. */
export type PlanTaskResult<Name extends keyof PlanTasks> = ReturnType<PlanTasks[Name]>;

const THREADS_MAX = 2;
/** Queue limit; further calls are refused at once. */
const QUEUE_MAX = 128;
/** An idle thread ends after this time (ms); one always stays. */
const IDLE_MS = 30_000;

let shared: { readonly pool: Piscina; users: number } | null = null;

/** Queued and completed tasks of this process, for /metrics. */
export function planningMetrics(): { readonly queue: number; readonly done: number } {
  return { queue: shared?.pool.queueSize ?? 0, done: shared?.pool.completed ?? 0 };
}

/** How much lower the priority of threads is than that of the control loop (nice value). */
const THREAD_NICENESS = 10;

/** Entry point of a thread, and its priority. */
export interface ThreadFile {
  readonly filename: string;
  readonly niceIncrement: number;
  readonly execArgv: string[];
}

/**
 * Makes piscina import the entry point. It calls `require` first, and Node ends the whole process
 * (`v8::Module::IsGraphAsync`) when a thread is stopped while `require` loads an ES module.
 */
const IMPORT_ONLY = '--no-experimental-require-module';

/**
 * The entry point `name` (without extension, relative to the module at `base`). TypeScript sources
 * need a loader, built files do not. Where all processors are busy, the control loop goes first.
 */
export function threadFile(base: string, name: string): ThreadFile {
  const source = base.endsWith('.ts');
  const filename = new URL(`${name}${source ? '.ts' : '.js'}`, base).href;
  const execArgv = source ? [IMPORT_ONLY, '--import', 'tsx'] : [IMPORT_ONLY];
  return { filename, niceIncrement: THREAD_NICENESS, execArgv };
}

/**
 * Lowers the priority of the threads that Node has started in this process (collection of garbage,
 * compilation, files) to that of the pools' threads. With all processors busy, the control loop
 * waits up to 15 ms for them otherwise. For a process of its own, before threads of pools start.
 * Only Linux lets a process do so.
 */
export function preferControlLoop(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task').map(Number)) {
    if (thread === process.pid) continue;
    try {
      setPriority(
        thread,
        Math.min(getPriority() + THREAD_NICENESS, constants.priority.PRIORITY_LOW),
      );
    } catch {
      // The thread has ended, or the system does not allow it: it keeps its priority.
    }
  }
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
   * Runs a task on a thread; `busy` when the queue is full. Rejects when `signal` aborts (the
   * thread is then terminated and replaced), and on a bug in the task.
   */
  async run<Call extends PlanTaskCall>(
    call: Call,
    signal: AbortSignal,
  ): Promise<PlanTaskResult<Call['task']> | 'busy'> {
    if (this.pool.queueSize >= QUEUE_MAX) return 'busy';
    return this.pool.run(call, { signal });
  }

  /** As `run`, for a program; receives its steps one page at a time. */
  async runProgram(
    argument: ToolpathTask,
    signal: AbortSignal,
    wall: WallClock,
  ): Promise<ProgramPlan | 'busy'> {
    if (this.pool.queueSize >= QUEUE_MAX) return 'busy';
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
    ...threadFile(import.meta.url, './plan-tasks'),
    minThreads: 1,
    maxThreads: THREADS_MAX,
    idleTimeout: IDLE_MS,
  });
}
