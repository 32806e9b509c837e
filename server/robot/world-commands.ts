/**
 * What the world does to the robot: the emergency stop, signals on its inputs, hands on its
 * buttons, updates and power (spec §3.1; decisions D31, D32, D34).
 */
import type { Joints } from '../../contract/types.ts';
import type { Command } from './commands.ts';
import type { RobotCore } from './core.ts';
import { createIo, faultOf, writeIo } from './io.ts';
import { createMemory } from './memory.ts';
import { type Refusal, refuse } from './refusal.ts';

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

/** Presses or releases the emergency stop; the same twice changes nothing. */
export function estop(core: RobotCore, command: Of<'estop'>): null {
  core.memory.estop_by_hand = command.engaged;
  settleStop(core);
  return null;
}

/** Follows the stop that is wired to the joints: it counts as the hand's does. */
export function watchStop(core: RobotCore): void {
  const pressed = core.feedback.estop ?? false;
  if (pressed === core.memory.estop_wired) return;
  core.memory.estop_wired = pressed;
  settleStop(core);
  // With the motors off the arm may have been moved: it goes on from where it stands.
  if (!pressed) core.mover.standAt(core.feedback.position_rad);
}

function settleStop(core: RobotCore): void {
  const { memory } = core;
  const engaged = memory.estop_by_hand || memory.estop_wired;
  if (memory.estop === engaged) return;
  memory.estop = engaged;
  if (engaged) pressEstop(core);
  else releaseEstop(core);
}

function pressEstop(core: RobotCore): void {
  const { memory } = core;
  // The arm starts anew when the update is in, and then a stop that is still engaged counts.
  if (memory.state === 'updating') return;
  memory.error_behind_estop = memory.state === 'error' || memory.activity !== null;
  core.cutShort({ outputs: false });
  core.change('estop_pressed');
}

function releaseEstop(core: RobotCore): void {
  const { memory } = core;
  if (memory.state !== 'disabled') return;
  if (memory.error_behind_estop) {
    memory.error ??= 'A motion was interrupted by the emergency stop';
    core.change('estop_released_with_error');
  } else core.change('estop_released');
  memory.error_behind_estop = false;
}

/** Drives inputs from outside; nothing is changed when one value does not fit. */
export function inputs(core: RobotCore, command: Of<'inputs'>): Refusal | null {
  const { io } = core.memory;
  const invalid = Object.entries(command.values)
    .map(([key, value]) => ({ path: `/${key}`, problem: faultOf(io.inputs, key, value)?.text }))
    .filter((entry) => entry.problem !== undefined);
  if (invalid.length > 0) return refuse('invalid_arguments', invalid);
  for (const [key, value] of Object.entries(command.values)) {
    writeIo(io, 'inputs', key, value);
    io.wired[key] = true;
  }
  return null;
}

export function loopback(core: RobotCore, command: Of<'loopback'>): null {
  core.memory.io.loopback = { ...command.wires };
  return null;
}

/** Lets inputs stay as they are, in place of those that were stuck before. */
export function stickInputs(core: RobotCore, command: Of<'stick_inputs'>): null {
  core.memory.io.stuck = { ...command.stuck };
  return null;
}

/** The button near the end effector: while it is held the arm is moved by hand. */
export function backdriving(core: RobotCore, command: Of<'backdriving'>): Refusal | null {
  const trigger = command.pressed ? 'backdriving_pressed' : 'backdriving_released';
  if (core.mover.moving && command.pressed) {
    return refuse('wrong_state', 'The arm is still coming to rest');
  }
  if (!core.change(trigger)) {
    return refuse('wrong_state', `Backdriving needs ready; the robot is ${core.memory.state}`);
  }
  core.mover.standAt(core.feedback.position_rad);
  return null;
}

export function waypointButton(core: RobotCore): Refusal | null {
  if (core.memory.state !== 'backdriving') {
    return refuse('wrong_state', 'The waypoint button works while the arm is backdriven');
  }
  core.events.push({
    kind: 'backdriving',
    waypoint: Array.from(core.feedback.position_rad) as Joints,
  });
  return null;
}

export function beginUpdate(core: RobotCore): null {
  core.change('update_started');
  return null;
}

/** The update is in: the arm starts anew. */
export function finishUpdate(core: RobotCore): null {
  core.change('update_finished');
  return powerCycle(core);
}

/** Power off and on: lock, toolpath, outputs and errors are gone; settings and inputs stay. */
export function powerCycle(core: RobotCore): null {
  const { schedule, detection, estop: engaged, estop_by_hand, estop_wired, io } = core.memory;
  const had_lock = core.memory.lock !== null;
  core.mover.emergencyStop();
  core.memory = {
    ...createMemory(),
    schedule,
    detection,
    estop: engaged,
    estop_by_hand,
    estop_wired,
    state: engaged ? 'disabled' : 'ready',
    io: {
      ...createIo(),
      inputs: io.inputs,
      wired: io.wired,
      loopback: io.loopback,
      stuck: io.stuck,
    },
  };
  core.options.recover();
  if (had_lock) core.events.push({ kind: 'lock_status', holder: null });
  core.log('info', 'Power cycle');
  return null;
}

/** The arm was placed at a pose by the twin's own hand: seeds and restores, never motion. */
export function standAt(core: RobotCore, command: Of<'stand_at'>): Refusal | null {
  if (core.memory.activity || core.mover.moving) {
    return refuse('wrong_state', 'The arm is moving; a pose can be set while it rests');
  }
  core.mover.standAt(command.joints);
  return null;
}

export function shutDown(core: RobotCore): null {
  core.cutShort({ outputs: false });
  core.change('shut_down');
  return null;
}
