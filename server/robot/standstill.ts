/**
 * What happens once the arm stands (decision D29): motions end, awaited commands take effect, and
 * the robot leaves an emergency stop. `ready` and `paused` are entered here alone, so they are
 * never published while a joint moves.
 */

import { type Refusal, refuse } from '../../contract/refusal.ts';
import { isAllowed, wrongStateDetails } from '../../contract/robot-states.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import { farthestOutside } from '../../physics/arm/arm-range.ts';
import { restartLockTimer } from './lock-expiry.ts';
import { forgetError, type StandstillCommand, setError } from './memory.ts';
import type { RobotContext } from './robot-context.ts';

/** A joint on the limit of its range is measured up to so far outside (rad). */
const OUTSIDE_RAD = 0.005;

/** Clears the driver's faults; the refusal names the cause that persists. */
export function persistentFault(context: RobotContext): Refusal<'wrong_state'> | null {
  if (context.options.recover()) return null;
  const cause = context.feedback.fault?.message ?? 'The cause of the fault is still present';
  return refuse('wrong_state', cause);
}

function recoverTo(
  context: RobotContext,
  trigger: 'reset_errors' | 'acknowledge_collision',
): Refusal<'wrong_state'> | null {
  const refusal = persistentFault(context);
  if (refusal) return refusal;
  forgetError(context.memory);
  context.transition(trigger);
  // The arm was stopped off its path: the next motion starts where the drives hold it.
  context.startFromHeldPose();
  tellWayBack(context);
  return null;
}

/** Says how an arm that has fallen out of its range comes back into it. */
function tellWayBack(context: RobotContext): void {
  const { range = null, guidingRefusal } = context.options;
  const outside = farthestOutside(range, context.player.restPose);
  if (outside === null || outside.beyond_rad < OUTSIDE_RAD) return;
  const where = `${jointName(outside.joint)} is ${outside.beyond_rad.toFixed(3)} rad outside of its range`;
  const guides = (guidingRefusal?.() ?? null) === null;
  const ways = guides ? 'moves it back, and so does guiding it by hand' : 'moves it back';
  context.log('warning', `${where}: a go_to into the range ${ways}`);
}

type Completion = (context: RobotContext) => Refusal<'wrong_state'> | null;

const completions: Readonly<Record<StandstillCommand, Completion>> = {
  pause(context) {
    const { memory } = context;
    memory.resume_to = memory.state === 'stopping' ? 'stopping' : 'running';
    context.transition('pause');
    memory.paused_tick = context.tick;
    return null;
  },
  cancel(context) {
    context.player.discardPausedMotion();
    context.transition('cancel');
    context.endActivity();
    return null;
  },
  reset_errors: (context) => recoverTo(context, 'reset_errors'),
  acknowledge_collision: (context) => recoverTo(context, 'acknowledge_collision'),
};

/** Refuses the awaited command when the state changed and no longer allows it. */
export function refuseObsoleteCommand(context: RobotContext): void {
  const { awaited, state } = context.memory;
  if (awaited === null || isAllowed(awaited, state)) return;
  context.complete(refuse('wrong_state', wrongStateDetails(awaited, state)));
}

/** The error of a released stop: a fault of the joints, or that there was a motion. */
function sayInterrupted({ memory, feedback }: RobotContext): void {
  const { fault } = feedback;
  const message = fault?.message ?? 'A motion was interrupted by the emergency stop';
  setError(memory, message, fault && { ...fault, isReported: true });
}

function leaveDisabled(context: RobotContext): void {
  const { memory, feedback } = context;
  if (memory.error_behind_estop || feedback.fault) {
    if (memory.error === null) sayInterrupted(context);
    context.transition('estop_released_with_error');
  } else {
    forgetError(memory);
    context.transition('estop_released');
  }
  memory.error_behind_estop = false;
  // A wired stop cuts the power of the motors: the arm may have been moved.
  if (context.feedback.estop !== undefined) context.startFromHeldPose();
}

function leaveBackdriving(context: RobotContext): void {
  context.transition('backdriving_released');
  context.startFromHeldPose();
}

function endMotion(context: RobotContext, trigger: 'motion_finished' | 'motion_dropped'): void {
  if (trigger === 'motion_dropped') context.player.discardPausedMotion();
  context.transition(trigger);
  context.endActivity();
}

/** Takes the transitions that wait for standstill, if the arm stands. */
export function completeAtStandstill(context: RobotContext): void {
  refuseObsoleteCommand(context);
  if (!context.standing) return;
  const { memory } = context;
  if (memory.teach_braking) {
    memory.teach_braking = false;
    restartLockTimer(memory, context.tick);
  }
  if (memory.ending === 'motion_dropped') endMotion(context, memory.ending);
  refuseObsoleteCommand(context);
  if (memory.awaited) context.complete(completions[memory.awaited](context));
  if (memory.ending && memory.state !== 'paused') endMotion(context, memory.ending);
  if (memory.state === 'disabled' && !memory.estop) leaveDisabled(context);
  if (memory.state === 'backdriving' && memory.button_released) leaveBackdriving(context);
}
