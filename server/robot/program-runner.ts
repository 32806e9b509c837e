/**
 * Executes programs (§2.2): whenever nothing moves, takes the next steps until one takes time.
 * Evaluates loops, return motions between loops, waits and branches on the tick, from the I/O
 * values of that tick. Also: what happens once the arm stands.
 */

import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { isAllowed, wrongStateDetails } from '../../contract/robot-states.ts';
import {
  type Condition,
  conditionHolds,
  executeStep,
  type PlannedMove,
  startCursor,
} from '../../physics/toolpath/program.ts';
import type { LoadedToolpath } from './commands.ts';
import { ioKey, readIo, writeIo } from './io.ts';
import {
  type Activity,
  type RobotContext,
  restartLockTimer,
  type StandstillCommand,
} from './robot-context.ts';

/**
 * What happens once the arm stands (decision D29): motions end, awaited commands take effect, and
 * the robot leaves an emergency stop. `ready` and `paused` are entered here alone, so they are
 * never published while a joint moves.
 */

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
  context.memory.error = null;
  context.transition(trigger);
  // The arm was stopped off its path: the next motion starts where the drives hold it.
  context.startFromHeldPose();
  return null;
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

function leaveDisabled(context: RobotContext): void {
  const { memory } = context;
  if (memory.error_behind_estop) {
    memory.error ??= 'A motion was interrupted by the emergency stop';
    context.transition('estop_released_with_error');
  } else context.transition('estop_released');
  memory.error_behind_estop = false;
  // A wired stop cuts the power of the motors: the arm may have been moved.
  if (context.feedback.estop !== undefined) context.startFromHeldPose();
}

function leaveBackdriving(context: RobotContext): void {
  context.memory.button_released = false;
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

/** Most instantaneous steps in one tick; a longer timeline without motion spreads over ticks. */
const STEPS_PER_TICK = 64;

/** Continues the current activity; called while no setpoint changes. */
export function continueActivity(context: RobotContext): void {
  const { memory } = context;
  const { activity } = memory;
  if (!activity || memory.ending || memory.awaited) return;
  if (memory.state !== 'running' && memory.state !== 'stopping') return;
  if (activity.kind !== 'run') finishActivity(context);
  else if (memory.loaded) takeSteps(context, activity, memory.loaded);
}

/** Ends the activity, at once or as soon as the arm stands. */
function finishActivity(context: RobotContext): void {
  context.memory.ending = 'motion_finished';
  completeAtStandstill(context);
}

function playMove(context: RobotContext, activity: Activity, move: PlannedMove): void {
  const teach = activity.mode === 'teach';
  const cap_m_s = teach ? limits.speed_teach_m_per_s : limits.speed_automatic_m_per_s;
  const { tool_offset_m, payload_kg } = context.memory.loaded!.program;
  context.player.play({
    path: move.path,
    profile: teach ? move.teach : move.automatic,
    caps: {
      tool_speed_m_s: Math.min(move.tool_speed_m_s, cap_m_s),
      tool_offset_m,
      payload_kg,
      timing: context.memory.timing,
    },
  });
}

function conditionMet(context: RobotContext, condition: Condition, since_s: number): boolean {
  const moment = { tick: context.tick, seed: context.options.seed };
  return conditionHolds(condition, {
    elapsed_s: context.now_s - since_s,
    read: (side, io) => readIo(context.memory.io, side, io, moment),
  });
}

function takeSteps(context: RobotContext, activity: Activity, loaded: LoadedToolpath): void {
  const world = {
    now_s: context.now_s,
    holds: (condition: Condition, since_s: number) => conditionMet(context, condition, since_s),
  };
  for (let steps = 0; steps < STEPS_PER_TICK && !context.player.moving; steps++) {
    const effect = executeStep(loaded.program, activity.cursor, world);
    if (effect.kind !== 'loop_done') activity.at = effect.at;
    switch (effect.kind) {
      case 'move':
        playMove(context, activity, effect.move);
        break;
      case 'output':
        writeIo(context.memory.io, 'outputs', ioKey(effect.io), effect.value);
        break;
      case 'waiting':
        return;
      case 'loop_done':
        if (countLoop(context)) {
          finishActivity(context);
          return;
        }
        Object.assign(activity.cursor, startCursor(loaded.program));
        if (effect.way_back) playMove(context, activity, effect.way_back);
        break;
      default:
        break;
    }
  }
}

/** Counts the completed loop; returns whether the run ends with it. */
function countLoop({ memory }: RobotContext): boolean {
  memory.loop_count += 1;
  const isTargetReached = memory.loop_target > 0 && memory.loop_count >= memory.loop_target;
  return isTargetReached || memory.state === 'stopping';
}
