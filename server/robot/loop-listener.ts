import type { Feedback } from '../../bridge/arm-driver.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { Command } from './commands.ts';
import type { LoopEvent } from './loop-event.ts';
import type { WorldAction } from './world-actions.ts';

/** A subscriber of the loop: stream, log, recording, digest. */
export interface LoopListener {
  /** Events of one tick or command, in order; never empty. */
  onEvents?(events: readonly LoopEvent[], tick: number): void;
  /** After every executed tick, and after every jump over idle ticks. */
  onTick?(feedback: Feedback, tick: number): void;
  /** After every command. */
  onCommand?(command: Command, refusal: Refusal | null, tick: number): void;
  /** After every world action. */
  onAction?(action: WorldAction, tick: number): void;
  /** After robot and time were restored from a snapshot; the world was restored just before. */
  onRestore?(tick: number, feedback: Feedback): void;
}
