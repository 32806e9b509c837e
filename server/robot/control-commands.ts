/**
 * Effects of the control calls (§4.5) on the robot. Precondition of each: the state table allows
 * the command and the caller holds the lock.
 */

import { type MountedTool, TICK_S } from '../../bridge/arm-driver.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RunMode, Vector } from '../../contract/types.generated.ts';
import { length3 } from '../../physics/math/vector.ts';
import { planApproach } from '../../physics/toolpath/home-approach.ts';
import { startCursor } from '../../physics/toolpath/program-interpreter.ts';
import { speedCap_m_s } from '../../physics/toolpath/speed-cap.ts';
import type { Command, CommandResult } from './commands.ts';
import { setAnalogModes } from './io.ts';
import type { LoadedToolpath } from './loaded-toolpath.ts';
import { holdsLock } from './lock.ts';
import { restartLockTimer } from './lock-expiry.ts';
import type { Activity } from './memory.ts';
import type { RobotContext } from './robot-context.ts';
import { persistentFault } from './standstill.ts';
import type { TimedMotion } from './trajectory-player.ts';

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

function missingToolpath(what: 'run' | 'home'): Refusal<'toolpath_missing'> {
  const purpose = what === 'run' ? 'to run' : 'to go home to';
  return refuse('toolpath_missing', `Need a valid uploaded timeline ${purpose}`);
}

function startActivity(context: RobotContext, activity: Omit<Activity, 'at'>): void {
  context.memory.activity = { ...activity, at: '' };
  context.memory.resume_to = 'running';
  context.memory.ending = null;
  context.transition(activity.kind);
  restartLockTimer(context.memory, context.tick);
}

/** Shorter tools have no body (m). */
const TOOL_LENGTH_MIN_M = 1e-6;

/** The tool of a `tcp_config` as a body, or null. */
function mountedTool(
  configuration?: { readonly offsets: Vector; readonly radius: number } | undefined,
): MountedTool | null {
  if (!configuration) return null;
  const { x, y, z } = configuration.offsets;
  if (length3(x, y, z) < TOOL_LENGTH_MIN_M) return null;
  return { tip_m: [x, y, z], radius_m: configuration.radius };
}

/**
 * Selects a built toolpath; its payload and analog modes take effect. The loops are those of the
 * current toolpath (§2.10): none yet.
 */
export function load(context: RobotContext, command: Of<'load'>): CommandResult<'load'> {
  context.memory.loaded = command.toolpath;
  [context.memory.loop_count, context.memory.loop_target] = [0, 0];
  context.memory.tool = mountedTool(command.toolpath.metadata.tcp_config);
  setAnalogModes(context.memory.io, command.toolpath.program.analog_modes);
  context.log('info', `Toolpath “${command.toolpath.name}” loaded`);
  return null;
}

/** Selects no toolpath; the tool at the flange stays. */
export function unload(context: RobotContext): CommandResult<'unload'> {
  const { loaded } = context.memory;
  context.memory.loaded = null;
  [context.memory.loop_count, context.memory.loop_target] = [0, 0];
  if (loaded) context.log('info', `Toolpath “${loaded.name}” is no longer loaded`);
  return null;
}

/** Plans the checked motion from the rest pose to the home waypoint (decision D28). */
function planHomeApproach(
  context: RobotContext,
  loaded: LoadedToolpath,
  mode: RunMode,
): { readonly motion: TimedMotion | null } | Refusal<'motion_refused'> {
  const { program, metadata } = loaded;
  if (context.player.isAtRestPose(program.home)) return { motion: null };
  const start = context.player.restPose;
  const { timing } = context.memory;
  const { range } = context.options;
  const plan = planApproach({ start, home: program.home, mode, metadata, timing, range });
  if (!plan.ok) return refuse('motion_refused', { error: plan.message, code: plan.code });
  const caps = {
    tool_speed_m_s: Math.min(metadata.default_max_speed, speedCap_m_s(mode)),
    tool_offset_m: program.tool_offset_m,
    payload_kg: program.payload_kg,
    timing,
  };
  return { motion: { path: plan.segment.path, profile: plan.segment.profile, caps } };
}

/** Starts the loaded toolpath from the arm's rest pose; also called by the schedule. */
export function startRun(
  context: RobotContext,
  request: Pick<Of<'run'>, 'mode' | 'loop'> & { readonly scheduled: boolean },
): CommandResult<'run'> {
  const { loaded } = context.memory;
  if (!loaded) return missingToolpath('run');
  const found = planHomeApproach(context, loaded, request.mode);
  if ('refused' in found) return found;
  context.memory.loop_count = 0;
  context.memory.loop_target = request.loop;
  startActivity(context, {
    kind: 'run',
    mode: request.mode,
    scheduled: request.scheduled,
    payload_kg: loaded.program.payload_kg,
    cursor: startCursor(loaded.program),
  });
  if (found.motion) context.player.play(found.motion);
  return null;
}

export function run(context: RobotContext, command: Of<'run'>): CommandResult<'run'> {
  return startRun(context, { mode: command.mode, loop: command.loop, scheduled: false });
}

/** Moves to the first waypoint of the loaded toolpath, in teach mode. */
export function home(context: RobotContext): CommandResult<'home'> {
  const { loaded } = context.memory;
  if (!loaded) return missingToolpath('home');
  const found = planHomeApproach(context, loaded, 'teach');
  if ('refused' in found) return found;
  const { payload_kg } = loaded.program;
  const cursor = startCursor(loaded.program);
  startActivity(context, { kind: 'home', mode: 'teach', scheduled: false, payload_kg, cursor });
  if (found.motion) context.player.play(found.motion);
  return null;
}

export function goTo(context: RobotContext, command: Of<'go_to'>): CommandResult<'go_to'> {
  const { motion, mode } = command;
  if (!context.player.isAtRestPose(motion.start)) {
    return refuse(
      'wrong_state',
      'The arm has moved since the motion was planned; send the request again',
    );
  }
  const payload_kg = context.memory.loaded?.program.payload_kg ?? 0;
  const cursor = { step: 0, wait_started_s: null };
  if (motion.tool) context.memory.tool = mountedTool(motion.tool);
  startActivity(context, { kind: 'go_to', mode, scheduled: false, payload_kg, cursor });
  context.player.play(motion);
  return null;
}

/** Brakes on the path; the robot is paused once the arm stands. */
export function pause(context: RobotContext): null {
  if (context.memory.awaited === 'pause') return null;
  context.player.stopOnPath('pause');
  context.memory.awaited = 'pause';
  return null;
}

/** Resumes on the path; time spent paused does not count towards a wait. */
export function resume(context: RobotContext, command: Of<'resume'>): CommandResult<'resume'> {
  const { memory, player } = context;
  if (player.hasPausedMotion) {
    if (!command.profile) {
      return refuse('wrong_state', 'The resume was planned in another state; send it again');
    }
    player.resume(command.profile);
  }
  const cursor = memory.activity?.cursor;
  if (cursor && cursor.wait_started_s !== null) {
    cursor.wait_started_s += context.now_s - memory.paused_tick * TICK_S;
  }
  context.transition(memory.resume_to === 'stopping' ? 'resume_last_loop' : 'resume');
  return null;
}

export function cancel(context: RobotContext): null {
  context.memory.awaited = 'cancel';
  return null;
}

export function abortMotion(
  context: RobotContext,
  command: Of<'abort_motion'>,
): CommandResult<'abort_motion'> {
  const { memory, player } = context;
  if (!holdsLock(memory, command.caller)) return refuse('lock_not_held');
  if (memory.activity === null) return null;
  player.stopOnPath('pause');
  memory.ending = 'motion_dropped';
  return null;
}

export function stopLoop(context: RobotContext): null {
  context.transition('stop_loop');
  return null;
}

/** Leaves `error` once the arm stands; refused while the cause persists. */
export function resetErrors(context: RobotContext): CommandResult<'reset_errors'> {
  const refusal = persistentFault(context);
  if (!refusal) context.memory.awaited = 'reset_errors';
  return refusal;
}

/** Leaves `collision` once the arm stands. */
export function acknowledgeCollision(context: RobotContext): null {
  context.memory.awaited = 'acknowledge_collision';
  return null;
}

export function collisionDetection(
  context: RobotContext,
  command: Of<'collision_detection'>,
): null {
  const { detection } = context.memory;
  detection.enabled = command.enabled;
  if (command.sensitivity) detection.sensitivity = command.sensitivity;
  return null;
}
