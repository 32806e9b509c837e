/**
 * The clock port: it decides when ticks happen. Motion, lock, sessions, schedule and waits depend
 * on the tick count only; the pace never changes a result, only when it is available. Also: wall
 * time; no other module of the server reads it; turns of the event loop for long work; the pacer,
 * which is the clock for every pace.
 */
import { TICK_S } from '../../bridge/arm-driver.ts';
import { type ClockStatistics, SchedulePlace, TickLateness } from './twin-time.ts';

/** The loop that a clock drives. */
export interface ClockedLoop {
  readonly tick: number;
  /** How often the time was set back. */
  readonly setbacks: number;
  /** True when the arm rests and no run is active: ticks may be skipped. */
  readonly idle: boolean;
  /** True while what it simulates has failed: no time passes until that is replaced. */
  readonly halted: boolean;
  /** Runs ticks up to `target` or until `stop()` is true; skips idle time if `jump` is set. */
  runTo(target: number, options: { readonly jump: boolean; readonly stop: () => boolean }): void;
}

/** The speed of twin time relative to wall time. */
export type Pace =
  | { readonly kind: 'scaled'; readonly factor: number }
  | { readonly kind: 'max' }
  | { readonly kind: 'stepped' };

/** The name of a pace in the X-Armtwin header and on the command line: 1, 10, max, stepped. */
export function paceName(pace: Pace): string {
  return pace.kind === 'scaled' ? String(pace.factor) : pace.kind;
}

/** What a callback on twin time threw (`cause`), for those who wait for the clock. */
export class CallbackError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'CallbackError';
  }
}

/** A change of the clock; what is absent stays. */
type ClockChange = { readonly pace?: Pace | undefined; readonly paused?: boolean | undefined };

export interface Clock {
  readonly pace: Pace;
  readonly paused: boolean;
  /** True while twin time runs faster than wall time by itself, not because of `advance`. */
  readonly outrunsWall: boolean;
  /** Starts twin time; a stepped clock waits for `advance`. */
  start(loop: ClockedLoop): void;
  stop(): void;
  setPace(pace: Pace): void;
  setPaused(paused: boolean): void;
  /** Changes pace and pause together: no tick passes with one of them alone. */
  set(change: ClockChange): void;
  /**
   * Runs `ticks` now, at any pace, in slices so that sockets are served. Resolves early when the
   * clock stops or its time is set back; rejects with what a tick threw or `fail` was given.
   */
  advance(ticks: number, until?: () => boolean): Promise<void>;
  /** Calls back while time passes by `advance` alone: now, or once stepped or paused. */
  whileHeld(callback: () => void): Cancel;
  /** Ends the `advance` in progress with a failure; without one, it goes to the process. */
  fail(failure: Error): void;
  statistics(): ClockStatistics;
}

/**
 * Wall time; the only module that reads it. Startup, sockets, pacing and timeouts receive it as an
 * argument; everything else runs on ticks.
 */

/** Cancels a scheduled callback; has no effect after it ran. */
export type Cancel = () => void;

export interface WallClock {
  /** Monotonic milliseconds; immune to changes of the system's date. */
  now_ms(): number;
  /** Date and time as milliseconds since 1970 (UTC). */
  epoch_ms(): number;
  /** Calls back once after `delay_ms`; keeps the process alive until then. */
  after(delay_ms: number, callback: () => void): Cancel;
  /** As `after`, without keeping the process alive. */
  afterUnreferenced(delay_ms: number, callback: () => void): Cancel;
  /** Calls back once the event loop has served its sockets. */
  soon(callback: () => void): Cancel;
}

/** As they are at start: tests that fake the timers of their process must not stop a twin in it. */
const { setTimeout, clearTimeout, setImmediate, clearImmediate } = globalThis;
const monotonic_ms = performance.now.bind(performance);

/** The machine's own clock. */
export const systemClock: WallClock = {
  now_ms: monotonic_ms,
  epoch_ms: () => Date.now(),
  after(delay_ms, callback) {
    const timer = setTimeout(callback, delay_ms);
    return () => clearTimeout(timer);
  },
  afterUnreferenced(delay_ms, callback) {
    const timer = setTimeout(callback, delay_ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon(callback) {
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  },
};

/**
 * A date that counts on from that of the start. A change of the system's date neither shortens nor
 * lengthens what is measured with it, in one process.
 */
export function steadyDate(wall: Pick<WallClock, 'now_ms' | 'epoch_ms'>): () => number {
  const zero_ms = wall.epoch_ms() - wall.now_ms();
  return () => zero_ms + wall.now_ms();
}

/** Resolves after `delay_ms` of wall time. */
export function wait(clock: WallClock, delay_ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay_ms, resolve);
  });
}

/** As `wait`, without keeping the process alive. */
export function waitUnreferenced(clock: WallClock, delay_ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.afterUnreferenced(delay_ms, resolve);
  });
}

/** Longest work between two turns of the event loop (ms). No result depends on it. */
const TURN_MS = 2;

/** The clocks of this process that follow a schedule. */
const scheduled = new Set<Pacer>();

/**
 * Runs the ticks that are due in real time. One turn of the event loop serves all sockets that are
 * ready, so work of each of them calls this first: ticks wait for one piece of work, not for all.
 */
export function runDueTicks(): void {
  for (const clock of scheduled) clock.runDue();
}

/** Slices of work that wait for their turn of the event loop; each returns whether it is done. */
const waiting: (() => boolean)[] = [];
let isTaking = false;

/** Runs one slice in each turn of the event loop, however many pieces of work there are. */
function takeTurns(wall: WallClock): void {
  const slice = waiting.shift();
  isTaking = slice !== undefined;
  if (!slice) return;
  runDueTicks();
  if (!slice()) waiting.push(slice);
  wall.soon(() => takeTurns(wall));
}

/** Calls `step` in short slices until it returns something other than null; resolves to that. */
export function runCooperatively<Answer>(
  wall: WallClock,
  step: () => Answer | null,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const slice = (): boolean => {
      const end_ms = wall.now_ms() + TURN_MS;
      try {
        do {
          const answer = step();
          if (answer !== null) {
            resolve(answer);
            return true;
          }
        } while (wall.now_ms() < end_ms);
        return false;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    waiting.push(slice);
    if (isTaking) return;
    isTaking = true;
    wall.soon(() => takeTurns(wall));
  });
}

/** Resolves in a turn of the event loop without other slices: what follows may take one. */
export async function ownTurn(wall: WallClock): Promise<void> {
  await runCooperatively(wall, () => true);
}

/** Divides work that other tasks interrupt into slices. */
export class Slices {
  private readonly wall: WallClock;
  private end_ms = Number.NEGATIVE_INFINITY;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Resolves at once within a slice, else in a turn of its own, where the next one begins. */
  async next(): Promise<void> {
    if (this.wall.now_ms() < this.end_ms) return;
    await ownTurn(this.wall);
    this.end_ms = this.wall.now_ms() + TURN_MS;
  }
}

/**
 * The clock for every pace: real time, scaled, as fast as possible, or stepped. Real and scaled
 * paces follow an absolute schedule with bounded catch-up, without drift; accelerated paces run in
 * short slices so that sockets are served in between.
 */

/** Longest time without serving sockets (ms). */
const SLICE_MS = 8;
/** Ticks per wake-up while catching up. */
const CATCH_UP_TICKS = 12;
/** Lag beyond which the schedule restarts, e.g. after the machine slept (ms). */
const SCHEDULE_RESET_MS = 2000;
/** Longest sleep (ms): a very slow pace exceeds the range of a timer. */
const MAX_SLEEP_MS = 60_000;
/** Sleep until a halted loop is looked at again (ms). */
const HALTED_MS = 100;
const TICK_MS = TICK_S * 1000;

const never = () => false;

export class Pacer implements Clock {
  pace: Pace;
  paused = false;
  private loop: ClockedLoop | null = null;
  private cancel: Cancel = () => {};
  private isRunning = false;
  private isAdvancing = false;
  /** The `advance` in progress, from its first slice until it settles. */
  private inProgress: { failure: Error | null } | null = null;
  private anchor_ms = 0;
  private anchor_tick = 0;
  private readonly lateness: TickLateness;
  private readonly place = new SchedulePlace();
  private readonly wall: WallClock;
  private readonly heldListeners = new Set<() => void>();
  /** Tail of the queue of `advance` calls, which run one at a time. */
  private queue: Promise<void> = Promise.resolve();

  constructor(pace: Pace, wall: WallClock) {
    this.pace = pace;
    this.wall = wall;
    this.lateness = new TickLateness(wall);
  }

  start(loop: ClockedLoop): void {
    this.loop = loop;
    scheduled.add(this);
    this.reschedule();
  }

  stop(): void {
    this.cancel();
    scheduled.delete(this);
    this.loop = null;
  }

  /** Runs the ticks that are due, at real time or slower; a faster pace has its own slices. */
  runDue(): void {
    const { loop, pace } = this;
    if (!loop || this.paused || loop.halted || this.isRunning) return;
    if (pace.kind !== 'scaled' || pace.factor > 1) return;
    if (this.wall.now_ms() < this.dueAt_ms(loop, pace.factor)) return;
    this.cancel();
    this.runSchedule(loop, pace.factor);
  }

  get outrunsWall(): boolean {
    if (this.paused || this.isAdvancing) return false;
    return this.pace.kind === 'scaled' ? this.pace.factor > 1 : this.pace.kind === 'max';
  }

  setPace(pace: Pace): void {
    this.set({ pace });
  }

  setPaused(paused: boolean): void {
    this.set({ paused });
  }

  set({ pace = this.pace, paused = this.paused }: ClockChange): void {
    this.pace = pace;
    this.paused = paused;
    this.reschedule();
    if (this.isHeld) for (const listener of [...this.heldListeners]) listener();
  }

  whileHeld(callback: () => void): Cancel {
    this.heldListeners.add(callback);
    if (this.isHeld) callback();
    return () => this.heldListeners.delete(callback);
  }

  private get isHeld(): boolean {
    return this.paused || this.pace.kind === 'stepped';
  }

  statistics(): ClockStatistics {
    if (this.loop) this.lateness.progress(this.loop.tick * TICK_MS);
    return this.lateness.statistics();
  }

  advance(ticks: number, until: () => boolean = never): Promise<void> {
    const turn = this.queue.then(() => this.advanceNow(ticks, until));
    this.queue = turn.catch(() => {});
    return turn;
  }

  fail(failure: Error): void {
    if (this.inProgress?.failure === null) this.inProgress.failure = failure;
    else {
      this.wall.soon(() => {
        throw failure;
      });
    }
  }

  private advanceNow(ticks: number, until: () => boolean): Promise<void> {
    if (until()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const { tick: start, setbacks } = this.loop ?? { tick: 0, setbacks: 0 };
      const progress: { failure: Error | null } = { failure: null };
      this.inProgress = progress;
      const end = () => {
        this.inProgress = null;
        if (progress.failure === null) resolve();
        else reject(progress.failure);
      };
      const slice = () => {
        try {
          if (!this.advanceSlice({ setbacks, target: start + ticks }, until)) {
            this.wall.soon(slice);
            return;
          }
        } catch (error) {
          progress.failure ??= error as Error;
        }
        this.reschedule();
        // Serves sockets before the caller continues, so that all events have been sent.
        this.wall.soon(end);
      };
      slice();
    });
  }

  /** Runs ticks between two turns of the event loop; returns whether the advance is over. */
  private advanceSlice(
    { setbacks, target }: { readonly setbacks: number; readonly target: number },
    until: () => boolean,
  ): boolean {
    const { loop } = this;
    const isSetBack = () => loop?.setbacks !== setbacks;
    const isCut = () => this.inProgress?.failure !== null || isSetBack() || until();
    this.isAdvancing = true;
    try {
      if (loop && !loop.halted && !isSetBack()) {
        loop.runTo(target, { jump: true, stop: this.sliceEnd(isCut) });
        this.lateness.progress(loop.tick * TICK_MS);
      }
    } finally {
      this.isAdvancing = false;
    }
    // A callback may have stopped the clock.
    if (!loop || this.loop === null || loop.halted) return true;
    return loop.tick >= target || isCut();
  }

  /** Whether a slice is over; reads the wall clock every eighth call only. */
  private sliceEnd(until: () => boolean): () => boolean {
    const end_ms = this.wall.now_ms() + SLICE_MS;
    let calls = 0;
    const isOver = () => until() || this.loop?.halted === true;
    return () => isOver() || ((++calls & 7) === 0 && this.wall.now_ms() >= end_ms);
  }

  private reschedule(): void {
    this.cancel();
    this.anchor_ms = this.wall.now_ms();
    this.anchor_tick = this.loop?.tick ?? 0;
    this.lateness.restart(this.anchor_tick * TICK_MS);
    if (this.loop && !this.paused && this.pace.kind !== 'stepped') this.wake();
  }

  private wake(): void {
    const loop = this.loop;
    // A listener of the tick that just ran may have paused the clock.
    if (!loop || this.paused) return;
    if (loop.halted) this.cancel = this.wall.after(HALTED_MS, () => this.wake());
    else if (this.pace.kind === 'max' && !loop.idle) this.runUnpaced(loop);
    else if (this.pace.kind === 'scaled') this.runSchedule(loop, this.pace.factor);
    else this.runSchedule(loop, 1);
  }

  private runUnpaced(loop: ClockedLoop): void {
    const stop = this.sliceEnd(() => loop.idle);
    loop.runTo(Number.POSITIVE_INFINITY, { jump: true, stop });
    this.lateness.progress(loop.tick * TICK_MS);
    this.anchor_ms = this.wall.now_ms();
    this.anchor_tick = loop.tick;
    this.cancel = this.wall.soon(() => this.wake());
  }

  private runSchedule(loop: ClockedLoop, factor: number): void {
    const now_ms = this.wall.now_ms();
    const due = this.anchor_tick + Math.floor(((now_ms - this.anchor_ms) * factor) / TICK_MS);
    // How late the next tick is: at a slow pace, the time of one tick alone is longer.
    if (now_ms - this.dueAt_ms(loop, factor) > SCHEDULE_RESET_MS) {
      this.anchor_ms = now_ms;
      this.anchor_tick = loop.tick;
    } else if (due > loop.tick) this.catchUp(loop, due, factor);
    this.lateness.progress(loop.tick * TICK_MS);
    this.sleep(loop, due, factor);
  }

  private catchUp(loop: ClockedLoop, due: number, factor: number): void {
    if (factor === 1) this.noteLateness(this.wall.now_ms() - this.dueAt_ms(loop, factor));
    const bound = factor === 1 ? CATCH_UP_TICKS : Number.POSITIVE_INFINITY;
    const target = Math.min(due, loop.tick + bound);
    this.isRunning = true;
    try {
      loop.runTo(target, { jump: factor > 1, stop: this.sliceEnd(never) });
    } finally {
      this.isRunning = false;
    }
  }

  private noteLateness(late_ms: number): void {
    this.lateness.add(late_ms);
    this.anchor_ms += this.place.add(late_ms, this.anchor_ms);
  }

  /** When the next tick is due by the schedule. */
  private dueAt_ms(loop: ClockedLoop, factor: number): number {
    return this.anchor_ms + ((loop.tick + 1 - this.anchor_tick) * TICK_MS) / factor;
  }

  private sleep(loop: ClockedLoop, due: number, factor: number): void {
    if (loop.tick < due) {
      this.cancel = this.wall.soon(() => this.wake());
      return;
    }
    const due_ms = this.dueAt_ms(loop, factor) - this.wall.now_ms();
    const delay_ms = Math.min(Math.max(1, Math.ceil(due_ms)), MAX_SLEEP_MS);
    this.cancel = this.wall.after(delay_ms, () => this.wake());
  }
}
