/**
 * Monitors the age of the joint feedback and the last command, for /readyz and crash reports. The
 * arguments of commands are not kept: they may be long or private.
 */
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { Command } from '../robot/commands.ts';
import type { LoopListener } from '../robot/loop.ts';

/** A command in a crash report. */
export interface LastCommand {
  readonly kind: string;
  readonly user_id: number | null;
  readonly tick: number;
  /** Name of the refusal; null if the command was accepted. */
  readonly refused: string | null;
}

/** Queued plans beyond which the service is not ready. */
const MAX_PLANNING_QUEUE = 128;

export class HealthMonitor implements LoopListener {
  private age_s = 0;
  private last: LastCommand | null = null;

  readonly onTick: NonNullable<LoopListener['onTick']> = ({ age_s }) => {
    this.age_s = age_s;
  };

  readonly onCommand = (command: Command, refusal: Refusal | null, tick: number): void => {
    const user_id = 'caller' in command ? command.caller.user_id : null;
    this.last = { kind: command.kind, user_id, tick, refused: refusal?.refused ?? null };
  };

  /** The latest command; null before the first. */
  get lastCommand(): LastCommand | null {
    return this.last;
  }

  /**
   * Why the service is not ready for commands; empty when it is. The robot's state is no reason: a
   * client must reach an arm in error to reset it.
   */
  notReadyReasons(closing: string | null, planning: { readonly queue: number }): string[] {
    const reasons = closing === null ? [] : [closing];
    if (this.age_s > limits.feedback_stale_s) {
      reasons.push(`The joints have not reported for ${this.age_s.toFixed(2)} s`);
    }
    if (planning.queue >= MAX_PLANNING_QUEUE) reasons.push('Too many toolpaths are being planned');
    return reasons;
  }
}
