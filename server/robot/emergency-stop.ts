/**
 * The emergency stop (decision D31): one of the simulation control API and one wired to the
 * joints, with the same effect.
 */

import { safetyOf } from '../../contract/safety-state.ts';
import type { Of } from './commands.ts';
import type { RobotContext } from './robot-context.ts';

/** Presses or releases the simulated emergency stop. Idempotent. */
export function estop(context: RobotContext, command: Of<'estop'>): null {
  context.memory.estop_by_hand = command.engaged;
  updateEstop(context);
  return null;
}

/** Applies a change of the wired emergency stop in the feedback; same effect as `estop`. */
export function followWiredEstop(context: RobotContext): void {
  const pressed = context.feedback.estop ?? false;
  if (pressed === context.memory.estop_wired) return;
  context.memory.estop_wired = pressed;
  updateEstop(context);
  // With the motors off the arm may have been moved: continue from where it is.
  if (!pressed) context.startFromHeldPose();
}

function updateEstop(context: RobotContext): void {
  const { memory } = context;
  const engaged = memory.estop_by_hand || memory.estop_wired;
  if (memory.estop === engaged) return;
  const before = safetyOf(memory);
  memory.estop = engaged;
  context.reportSafety(before);
  if (engaged) pressEstop(context);
}

function pressEstop(context: RobotContext): void {
  const { memory } = context;
  // The power cycle after the update applies a stop that is still engaged. A stop that is pressed
  // again before the arm stands changes nothing.
  if (memory.state === 'updating' || memory.state === 'disabled') return;
  memory.error_behind_estop = memory.state === 'error' || memory.activity !== null;
  context.abortMotion({ outputs: false });
  context.transition('estop_pressed');
}
