import type { Timers } from '../../server/clock/timers.ts';
import { type TwinTime, tickOf } from '../../server/clock/twin-time.ts';
import type { Cancel } from '../../server/clock/wall-clock.ts';
import type { LabwareTransporter, MoveObserver, MoveOrder } from './labware-transporter.ts';

/** Transporter whose moves only take time. */
export class TimedTransporter implements LabwareTransporter {
  isBusy = false;
  private cancelTimer: Cancel = () => {};
  private due_s = 0;
  /** Time left of a paused move (s); null unless it is paused. */
  private remaining_s: number | null = null;
  private observer: MoveObserver | null = null;
  private readonly time: TwinTime;
  private readonly timers: Timers;

  constructor(time: TwinTime, timers: Timers) {
    this.time = time;
    this.timers = timers;
  }

  start({ time_s, isHolding }: MoveOrder, observer: MoveObserver): null {
    this.isBusy = true;
    this.observer = observer;
    if (!isHolding) observer.onPicked();
    this.wait(time_s);
    return null;
  }

  private wait(time_s: number): void {
    this.remaining_s = null;
    this.due_s = this.time.now_s + time_s;
    this.cancelTimer = this.timers.at(tickOf(this.due_s), () => {
      this.isBusy = false;
      this.observer!.onPlaced();
      this.observer!.onDone();
    });
  }

  update(): void {}

  pause(): void {
    if (!this.isBusy || this.remaining_s !== null) return;
    this.cancelTimer();
    this.remaining_s = Math.max(0, this.due_s - this.time.now_s);
  }

  async prepareResume(): Promise<null> {
    return null;
  }

  resume(): null {
    // A run that paused for another reason has left the move in progress.
    if (this.isBusy && this.remaining_s !== null) this.wait(this.remaining_s);
    return null;
  }

  readonly isAtRest = true;
  readonly isReady = true;
  cancel(): void {
    this.cancelTimer();
    this.isBusy = false;
  }

  losePower(): void {}

  detach(): void {
    this.cancel();
  }
}
