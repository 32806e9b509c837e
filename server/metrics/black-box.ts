/**
 * What was last heard of the joints and last asked of the robot: the reasons on /readyz, and what a
 * crash report names. Values that a command carries are left out: they may be long or private.
 */
import { limits } from '../../contract/limits.ts';
import type { Command } from '../robot/commands.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { Refusal } from '../robot/refusal.ts';

/** A command as a crash report names it. */
export interface LastCommand {
  readonly kind: string;
  readonly user_id: number | null;
  readonly tick: number;
  /** Name of the refusal; null when it was done. */
  readonly refused: string | null;
}

/** Plans that may wait before the service says that it cannot take more. */
const QUEUE_FULL = 128;

export class BlackBox implements LoopListener {
  private age_s = 0;
  private asked: LastCommand | null = null;

  readonly onTick: NonNullable<LoopListener['onTick']> = ({ age_s }) => {
    this.age_s = age_s;
  };

  readonly onCommand = (command: Command, refusal: Refusal | null, tick: number): void => {
    const user_id = 'caller' in command ? command.caller.user_id : null;
    this.asked = { kind: command.kind, user_id, tick, refused: refusal?.refused ?? null };
  };

  /** The latest command; null before the first. */
  get lastCommand(): LastCommand | null {
    return this.asked;
  }

  /**
   * Why a call such as go_to would not be taken up now. The robot's own state is no reason: a
   * client must reach an arm in error, to reset it.
   */
  reasons(closing: string | null, planning: { readonly queue: number }): string[] {
    const reasons = closing === null ? [] : [closing];
    if (this.age_s > limits.feedback_stale_s) {
      reasons.push(`The joints have not reported for ${this.age_s.toFixed(2)} s`);
    }
    if (planning.queue >= QUEUE_FULL) reasons.push('Too many toolpaths are being planned');
    return reasons;
  }
}
