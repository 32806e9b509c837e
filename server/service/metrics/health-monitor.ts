/**
 * Monitors the age of the joint feedback and the last command, for /readyz and crash reports. The
 * arguments of commands are not kept: they may be long or private.
 */

import { limits } from '../../../contract/limits.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { RobotState } from '../../../contract/robot-states.ts';
import type { Command } from '../../robot/commands.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';

/** A command in a crash report. */
export interface LastCommand {
  readonly kind: string;
  readonly user_id: number | null;
  readonly tick: number;
  /** Name of the refusal; null if the command was accepted. */
  readonly refused: string | null;
}

export class HealthMonitor implements LoopListener {
  /** Why the service closes; null while it does not. */
  closing: string | null = null;
  private readonly feedback: { readonly feedbackAge_s: number };
  private last: LastCommand | null = null;

  constructor(feedback: { readonly feedbackAge_s: number }) {
    this.feedback = feedback;
  }

  readonly onCommand = (command: Command, refusal: Refusal | null, tick: number): void => {
    const user_id = 'caller' in command ? command.caller.user_id : null;
    this.last = { kind: command.kind, user_id, tick, refused: refusal?.refused ?? null };
  };

  /** The latest command; null before the first. */
  get lastCommand(): LastCommand | null {
    return this.last;
  }

  /**
   * Why the service is not ready for commands; empty when it is. Of the states of the robot only
   * an update is a reason: a client must reach an arm in error to reset it, but can only wait for
   * the end of an update. The load of users is none: it takes no user's share of the twin, and a
   * twin that is taken out of service for it is lost to all of them.
   */
  notReadyReasons(robot: { readonly state: RobotState }): string[] {
    const reasons = this.closing === null ? [] : [this.closing];
    if (robot.state === 'updating') reasons.push('updating: the arm installs an update');
    const { feedbackAge_s: age_s } = this.feedback;
    if (age_s > limits.feedback_stale_s) {
      reasons.push(`The joints have not reported for ${age_s.toFixed(2)} s`);
    }
    return reasons;
  }
}
