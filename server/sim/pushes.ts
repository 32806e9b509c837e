/** Forces on the flange that end by themselves after their time (spec of no arm: a hand). */

import type { Timers } from '../clock/timers.ts';
import { tickOf } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { Loop } from '../robot/loop.ts';

type Force = readonly [number, number, number];

const NONE: Force = [0, 0, 0];

export class Pushes {
  private readonly loop: Loop;
  private readonly timers: Timers;
  private cancel: Cancel = () => {};

  constructor(loop: Loop, timers: Timers) {
    this.loop = loop;
    this.timers = timers;
  }

  /** Pushes from now on (N, robot frame), in place of the push before; null: without end. */
  push(force_n: Force, duration_s: number | null): void {
    this.cancel();
    this.loop.act({ kind: 'push', force_n });
    if (duration_s === null) return;
    const due = tickOf(this.loop.now_s + duration_s);
    this.cancel = this.timers.at(due, () => void this.loop.act({ kind: 'push', force_n: NONE }));
  }

  /** Forgets when the present push ends: the world is put back to another moment. */
  forget(): void {
    this.cancel();
  }
}
