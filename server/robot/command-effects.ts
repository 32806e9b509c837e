/**
 * The table of command effects: what each kind of command does to the robot. Precondition: lock
 * and state allow the command.
 */

import { backdriving, waypointButton } from './backdriving.ts';
import type { Command, CommandResult } from './commands.ts';
import {
  abortMotion,
  acknowledgeCollision,
  cancel,
  collisionDetection,
  goTo,
  home,
  load,
  pause,
  resetErrors,
  resume,
  run,
  stopLoop,
  unload,
} from './control-commands.ts';
import { estop } from './emergency-stop.ts';
import { editGlobals } from './global-edit.ts';
import { inputs, loopback, stickInputs } from './input-signals.ts';
import { acquireLock, releaseLock, renewLock } from './lock.ts';
import { revokeLock } from './lost-lock.ts';
import { beginUpdate, finishUpdate, powerCycle, shutDown } from './power.ts';
import { setRestPose } from './rest-pose.ts';
import type { RobotContext } from './robot-context.ts';
import { setSchedule } from './schedule.ts';

type Effects = {
  readonly [Kind in Command['kind']]: (
    context: RobotContext,
    command: Extract<Command, { kind: Kind }>,
  ) => CommandResult<Kind>;
};

/** Effects by command kind; each returns the refusal, or null. */
export const effects: Effects = {
  lock: (context, { caller }) => acquireLock(context.memory, caller, context.tick),
  renew_lock: (context, { caller }) => renewLock(context.memory, caller, context.tick),
  release_lock: (context, { caller }) => releaseLock(context.memory, caller),
  forget_token: (context, { token_id }) => {
    if (context.memory.lock?.holder.token_id === token_id) revokeLock(context);
    return null;
  },
  load,
  unload,
  run,
  home,
  go_to: goTo,
  pause,
  resume,
  cancel,
  stop_loop: stopLoop,
  abort_motion: abortMotion,
  reset_errors: resetErrors,
  acknowledge_collision: acknowledgeCollision,
  collision_detection: collisionDetection,
  globals: (context, { changes }) => editGlobals(context.memory.io, changes),
  scheduler: (context, command) =>
    setSchedule(context.memory.schedule, command, {
      now_ms: context.date_ms,
      timezone: context.options.timezone,
    }),
  estop,
  inputs,
  loopback,
  stick_inputs: stickInputs,
  detect_collisions: ({ memory }) => {
    memory.detection.enabled = true;
    return null;
  },
  backdriving,
  waypoint_button: waypointButton,
  begin_update: beginUpdate,
  finish_update: finishUpdate,
  power_cycle: powerCycle,
  stand_at: setRestPose,
  shut_down: shutDown,
};
