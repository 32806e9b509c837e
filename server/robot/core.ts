/**
 * What the two verbs work on: the memory, the mover, the latest feedback and the tick, with the
 * few moves that several of them share. No verb of its own; robot.ts is the only owner.
 */

import type { Feedback } from '../../bridge/arm-driver.ts';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { type RobotTrigger, stateAfter } from '../../contract/robot-states.ts';
import type { RobotEvent } from './events.ts';
import { keyOf, writeIo } from './io.ts';
import { restartLockTimer } from './lock.ts';
import { createMemory, type RobotMemory } from './memory.ts';
import { Mover } from './mover.ts';

/** What the robot needs from outside; all of it synchronous and free of clocks. */
export interface RobotOptions {
  /** Feedback of the driver's start: where the arm stands. */
  readonly feedback: Feedback;
  /** Date of tick 0 (ms since 1970). */
  readonly epoch_ms: number;
  readonly timezone: string;
  readonly seed: number;
  /** Clears the driver's faults; true when none is left. */
  readonly recover: () => boolean;
}

export class RobotCore {
  memory: RobotMemory = createMemory();
  readonly mover: Mover;
  options: RobotOptions;
  feedback: Feedback;
  tick = 0;
  events: RobotEvent[] = [];

  constructor(options: RobotOptions) {
    this.options = options;
    this.feedback = options.feedback;
    this.mover = new Mover(options.feedback.position_rad);
  }

  /** Seconds since the twin's start. */
  get now_s(): number {
    return this.tick * TICK_S;
  }

  /** The twin's date (ms since 1970). */
  get date_ms(): number {
    return this.options.epoch_ms + this.tick * TICK_S * 1000;
  }

  /** Takes a transition of the table; false where the state does not answer to the trigger. */
  change(trigger: RobotTrigger): boolean {
    const next = stateAfter(this.memory.state, trigger);
    if (next === null) return false;
    if (next !== this.memory.state) this.log('info', `${this.memory.state} → ${next} (${trigger})`);
    this.memory.state = next;
    return true;
  }

  log(level: 'info' | 'warning' | 'error', text: string): void {
    this.events.push({ kind: 'log', level, text });
  }

  /** Ends the activity, done or given up; leaving a teach motion restarts the lock's timer. */
  endActivity(): void {
    const { memory } = this;
    const teach = memory.activity?.mode === 'teach';
    memory.activity = null;
    memory.dropping = false;
    if (teach) restartLockTimer(memory, this.tick);
  }

  /** Drops the motion at once, off its path if need be; runs the toolpath's output_on_error. */
  cutShort(options: { readonly outputs: boolean }): void {
    const { memory } = this;
    const onError = memory.loaded?.program.output_on_error;
    if (options.outputs && memory.activity?.kind === 'run' && onError) {
      writeIo(memory.io, 'outputs', keyOf(onError.io), onError.value);
    }
    this.mover.emergencyStop();
    this.endActivity();
  }
}
