/**
 * The clock of every pace: real time, a multiple of it, as fast as the machine can, or only when
 * stepped. Real and scaled paces follow an absolute schedule with bounded catch-up, so that nothing
 * drifts; accelerated paces work in short slices so that sockets are served between them.
 */
import { TICK_S } from '../../bridge/arm-driver.ts';
import type { Clock, ClockFigures, Pace, Ticking } from './clock.ts';
import { Lateness } from './lateness.ts';
import type { Cancel, WallClock } from './wall-clock.ts';

/** Longest stretch of work before sockets are served (ms). */
const SLICE_MS = 8;
/** Ticks worked through in one wake-up while catching up. */
const CATCH_UP_TICKS = 12;
/** Beyond this lag the schedule starts anew: the machine slept (ms). */
const LOST_SCHEDULE_MS = 2000;
/** A pace near nothing leaves more between two ticks than a timer can hold (ms). */
const NAP_MS = 60_000;
const TICK_MS = TICK_S * 1000;

const never = () => false;

export class Pacer implements Clock {
  pace: Pace;
  paused = false;
  private loop: Ticking | null = null;
  private cancel: Cancel = () => {};
  private anchor_ms = 0;
  private anchor_tick = 0;
  private readonly lateness: Lateness;
  private readonly wall: WallClock;
  /** Tail of the queue of `advance` calls: one at a time, in the order asked. */
  private queue: Promise<void> = Promise.resolve();

  constructor(pace: Pace, wall: WallClock) {
    this.pace = pace;
    this.wall = wall;
    this.lateness = new Lateness(wall);
  }

  start(loop: Ticking): void {
    this.loop = loop;
    this.reschedule();
  }

  stop(): void {
    this.cancel();
    this.loop = null;
  }

  setPace(pace: Pace): void {
    this.pace = pace;
    this.reschedule();
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.reschedule();
  }

  figures(): ClockFigures {
    return this.lateness.figures();
  }

  advance(ticks: number, until: () => boolean = never): Promise<void> {
    const turn = this.queue.then(() => this.advanceNow(ticks, until));
    this.queue = turn;
    return turn;
  }

  private advanceNow(ticks: number, until: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const start = this.loop?.tick ?? 0;
      const target = start + ticks;
      const slice = () => {
        const loop = this.loop;
        if (loop) loop.runTo(target, { jump: true, stop: this.sliceEnd(until) });
        const setBack = loop !== null && loop.tick < start;
        if (!loop || setBack || loop.tick >= target || until()) {
          this.reschedule();
          // Sockets are served before the caller goes on: what happened has been told by then.
          this.wall.soon(resolve);
        } else this.wall.soon(slice);
      };
      slice();
    });
  }

  /** Says when a slice is over; looks at the wall clock only every few ticks. */
  private sliceEnd(until: () => boolean): () => boolean {
    const end_ms = this.wall.now_ms() + SLICE_MS;
    let calls = 0;
    return () => until() || ((++calls & 7) === 0 && this.wall.now_ms() >= end_ms);
  }

  private reschedule(): void {
    this.cancel();
    this.anchor_ms = this.wall.now_ms();
    this.anchor_tick = this.loop?.tick ?? 0;
    this.lateness.restart();
    if (this.loop && !this.paused && this.pace.kind !== 'stepped') this.wake();
  }

  private wake(): void {
    const loop = this.loop;
    if (!loop) return;
    if (this.pace.kind === 'max' && !loop.idle) this.runFlatOut(loop);
    else if (this.pace.kind === 'scaled') this.runSchedule(loop, this.pace.factor);
    else this.runSchedule(loop, 1);
  }

  private runFlatOut(loop: Ticking): void {
    const stop = this.sliceEnd(() => loop.idle);
    loop.runTo(Number.POSITIVE_INFINITY, { jump: true, stop });
    this.lateness.progress(loop.tick * TICK_MS);
    this.anchor_ms = this.wall.now_ms();
    this.anchor_tick = loop.tick;
    this.cancel = this.wall.soon(() => this.wake());
  }

  private runSchedule(loop: Ticking, factor: number): void {
    const now_ms = this.wall.now_ms();
    const due = this.anchor_tick + Math.floor(((now_ms - this.anchor_ms) * factor) / TICK_MS);
    const lag_ms = ((due - loop.tick) * TICK_MS) / factor;
    if (lag_ms > LOST_SCHEDULE_MS) {
      this.anchor_ms = now_ms;
      this.anchor_tick = loop.tick;
    } else if (due > loop.tick) this.catchUp(loop, due, factor);
    this.lateness.progress(loop.tick * TICK_MS);
    this.sleep(loop, due, factor);
  }

  private catchUp(loop: Ticking, due: number, factor: number): void {
    if (factor === 1) {
      const next_ms = this.anchor_ms + (loop.tick + 1 - this.anchor_tick) * TICK_MS;
      this.lateness.add(this.wall.now_ms() - next_ms);
    }
    const bound = factor === 1 ? CATCH_UP_TICKS : Number.POSITIVE_INFINITY;
    const target = Math.min(due, loop.tick + bound);
    loop.runTo(target, { jump: factor > 1, stop: this.sliceEnd(never) });
  }

  private sleep(loop: Ticking, due: number, factor: number): void {
    if (loop.tick < due) {
      this.cancel = this.wall.soon(() => this.wake());
      return;
    }
    const next_ms = this.anchor_ms + ((loop.tick + 1 - this.anchor_tick) * TICK_MS) / factor;
    const delay_ms = Math.min(Math.max(1, Math.ceil(next_ms - this.wall.now_ms())), NAP_MS);
    this.cancel = this.wall.after(delay_ms, () => this.wake());
  }
}
