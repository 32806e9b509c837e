/**
 * The clock for every pace: real time, scaled, as fast as possible, or stepped. Real and scaled
 * paces follow an absolute schedule with bounded catch-up, without drift; accelerated paces run in
 * short slices so that sockets are served in between.
 */
import { TICK_S } from '../../bridge/arm-driver.ts';
import type { Clock, ClockChange, ClockedLoop, Pace } from './clock.ts';
import { SchedulePlace } from './schedule-place.ts';
import { type ClockStatistics, TickLateness } from './tick-lateness.ts';
import type { Cancel, WallClock } from './wall-clock.ts';

/** The clocks of this process that follow a schedule. */
const scheduled = new Set<Pacer>();

/**
 * Runs the ticks that are due in real time. One turn of the event loop serves all sockets that are
 * ready, so work of each of them calls this first: ticks wait for one piece of work, not for all.
 */
export function runDueTicks(): void {
  for (const clock of scheduled) clock.runDue();
}

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
