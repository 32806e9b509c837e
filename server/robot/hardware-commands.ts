/**
 * Effects of the robot's hardware and its operators: emergency stop, input signals, buttons,
 * updates and power (§3.1; decisions D31, D32, D34); and the table of the effects of all kinds of
 * command.
 */

import type { Feedback } from '../../bridge/arm-driver.ts';
import { type Problem, refuse } from '../../contract/refusal.ts';
import { safetyOf } from '../../contract/robot-states.ts';
import type { Joints } from '../../contract/types.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, TELEMETRY } from '../../physics/arm/arm-model.ts';
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
  revokeLock,
  run,
  stopLoop,
} from './control-commands.ts';
import { createIo, editGlobals, valueProblem, writeIo } from './io.ts';
import {
  acquireLock,
  createMemory,
  type RobotContext,
  refuseObsoleteCommand,
  releaseLock,
  renewLock,
} from './robot-context.ts';
import { setSchedule } from './schedule.ts';

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

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

/** Drives inputs; changes nothing when one value is invalid. */
export function inputs(context: RobotContext, command: Of<'inputs'>): CommandResult<'inputs'> {
  const { io } = context.memory;
  const { values } = command;
  const keys = Object.keys(values);
  const invalid: Problem[] = [];
  for (const key of keys) {
    const problem = valueProblem(io.inputs, key, values[key]!)?.text;
    if (problem !== undefined) invalid.push({ path: `/${key}`, problem });
  }
  if (invalid.length > 0) return refuse('invalid_arguments', invalid);
  for (const key of keys) {
    writeIo(io, 'inputs', key, values[key]!);
    io.wired[key] = true;
  }
  return null;
}

/** Replaces the loopback wires. */
export function loopback(context: RobotContext, command: Of<'loopback'>): null {
  context.memory.io.loopback = { ...command.wires };
  return null;
}

/** Replaces the set of stuck inputs, which keep their value. */
export function stickInputs(context: RobotContext, command: Of<'stick_inputs'>): null {
  context.memory.io.stuck = { ...command.stuck };
  return null;
}

/** The backdriving button near the end effector: while pressed, the arm can be guided. */
export function backdriving(
  context: RobotContext,
  command: Of<'backdriving'>,
): CommandResult<'backdriving'> {
  const { memory } = context;
  if (memory.state === 'backdriving' && command.pressed === memory.button_released) {
    memory.button_released = !command.pressed;
    return null;
  }
  const reason = command.pressed ? context.options.guidingRefusal?.() : null;
  if (reason) return refuse('wrong_state', reason);
  if (command.pressed && context.transition('backdriving_pressed')) {
    context.startFromHeldPose();
    return null;
  }
  if (!command.pressed) return refuse('wrong_state', 'The backdriving button is not pressed');
  if (memory.state === 'backdriving') {
    return refuse('wrong_state', 'The backdriving button is pressed already');
  }
  return refuse('wrong_state', `Backdriving needs ready; the robot is ${memory.state}`);
}

/** The measured pose as it is published, quantised like the arm's sensors (rad). */
export function publishedPose({ position_rad }: Feedback): number[] {
  const quantum = TELEMETRY.position_quantum_rad;
  return Array.from(position_rad, (angle, joint) => {
    const rounded = Math.round(angle / quantum) * quantum + 0;
    // A joint within its limits is not published beyond them.
    if (rounded > JOINT_MAX_RAD[joint]! && angle <= JOINT_MAX_RAD[joint]!) return rounded - quantum;
    if (rounded < JOINT_MIN_RAD[joint]! && angle >= JOINT_MIN_RAD[joint]!) return rounded + quantum;
    return rounded;
  });
}

/** Emits the measured pose; needs backdriving. */
export function waypointButton(context: RobotContext): CommandResult<'waypoint_button'> {
  if (context.memory.state !== 'backdriving') {
    return refuse(
      'wrong_state',
      'The waypoint button needs backdriving; press the backdriving button first',
    );
  }
  context.events.push({
    kind: 'backdriving',
    waypoint: publishedPose(context.feedback) as Joints,
  });
  return null;
}

/** Enters `updating`. */
export function beginUpdate(context: RobotContext): null {
  context.transition('update_started');
  return null;
}

/** Completes the update with a power cycle. */
export function finishUpdate(context: RobotContext): null {
  context.transition('update_finished');
  return powerCycle(context);
}

/** Power cycle: clears lock, toolpath, outputs and errors; keeps settings and inputs. */
export function powerCycle(context: RobotContext): null {
  const { schedule, detection, estop: engaged, estop_by_hand, estop_wired, io } = context.memory;
  const had_lock = context.memory.lock !== null;
  const before = safetyOf(context.memory);
  context.complete(refuse('wrong_state', 'The power was cycled'));
  context.player.emergencyStop();
  context.memory = {
    ...createMemory(),
    schedule,
    detection,
    estop: engaged,
    estop_by_hand,
    estop_wired,
    // The robot is ready once the arm stands.
    state: engaged || !context.standing ? 'disabled' : 'ready',
    io: {
      ...createIo(),
      inputs: io.inputs,
      wired: io.wired,
      loopback: io.loopback,
      stuck: io.stuck,
    },
  };
  context.reportSafety(before);
  context.options.recover();
  if (had_lock) context.events.push({ kind: 'lock_status', holder: null });
  context.log('info', 'Power cycle');
  return null;
}

/** Sets the rest pose without motion: for seeds and restores of the simulation control API. */
export function setRestPose(
  context: RobotContext,
  command: Of<'stand_at'>,
): CommandResult<'stand_at'> {
  if (context.memory.activity || context.player.moving) {
    return refuse('wrong_state', 'The arm is moving; set the pose when it is at rest');
  }
  context.player.setPose(command.joints);
  return null;
}

/** Aborts the motion and enters `shutting_down`. */
export function shutDown(context: RobotContext): null {
  context.abortMotion({ outputs: false });
  context.transition('shut_down');
  refuseObsoleteCommand(context);
  return null;
}

/** The effect of each command kind on the robot. Precondition: lock and state allow the command. */

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
  backdriving,
  waypoint_button: waypointButton,
  begin_update: beginUpdate,
  finish_update: finishUpdate,
  power_cycle: powerCycle,
  stand_at: setRestPose,
  shut_down: shutDown,
};
