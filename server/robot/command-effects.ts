/** The effect of each command kind on the robot. Precondition: lock and state allow the command. */
import type { Command, CommandResult } from './commands.ts';
import * as control from './control-commands.ts';
import * as world from './hardware-commands.ts';
import { editGlobals } from './io.ts';
import { acquireLock, releaseLock, renewLock } from './lock.ts';
import { revokeLock } from './monitors.ts';
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
  load: control.load,
  run: control.run,
  home: control.home,
  go_to: control.goTo,
  pause: control.pause,
  resume: control.resume,
  cancel: control.cancel,
  stop_loop: control.stopLoop,
  abort_motion: control.abortMotion,
  reset_errors: control.resetErrors,
  acknowledge_collision: control.acknowledgeCollision,
  collision_detection: control.collisionDetection,
  globals: (context, { changes }) => editGlobals(context.memory.io, changes),
  scheduler: (context, command) =>
    setSchedule(context.memory.schedule, command, {
      now_ms: context.date_ms,
      timezone: context.options.timezone,
    }),
  estop: world.estop,
  inputs: world.inputs,
  loopback: world.loopback,
  stick_inputs: world.stickInputs,
  backdriving: world.backdriving,
  waypoint_button: world.waypointButton,
  begin_update: world.beginUpdate,
  finish_update: world.finishUpdate,
  power_cycle: world.powerCycle,
  stand_at: world.setRestPose,
  shut_down: world.shutDown,
};
