/**
 * Effects of the control calls (§4.5) on the robot. Precondition of each: the state table allows
 * the command and the caller holds the lock. Also: the checks of every tick.
 */

import {
  type ArmFaultKind,
  type Feedback,
  type MountedTool,
  TICK_S,
} from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RunMode, Vector } from '../../contract/types.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import { length3 } from '../../physics/math/rotation.ts';
import { inJointRange } from '../../physics/motion/limits.ts';
import { planApproach, speedCap_m_s } from '../../physics/toolpath/plan-segment.ts';
import { startCursor } from '../../physics/toolpath/program.ts';
import type { Command, CommandResult, LoadedToolpath } from './commands.ts';
import { nextReading_tick, setAnalogModes } from './io.ts';
import {
  type Activity,
  holdsLock,
  persistentFault,
  type RobotContext,
  restartLockTimer,
} from './robot-context.ts';
import { nextMoment_ms } from './schedule.ts';
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
  const plan = inJointRange(context.options.range, () =>
    planApproach({ start, home: program.home, mode, metadata, timing }),
  );
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

/**
 * Checks that run on every tick: faults and contacts in the feedback, expiry of the lock, the daily
 * schedule (decisions D13, D30, D33).
 */

/** Feedback older than this is a fault (s). */
const STALE_FEEDBACK_S = limits.feedback_stale_s;

/** Faults that a contact causes by itself: the joints lag, the motors push. */
const CAUSED_BY_CONTACT: ReadonlySet<ArmFaultKind> = new Set(['following_error', 'overload']);

function jointFaultMessage(feedback: Feedback, isTouching: boolean): string | null {
  const { fault } = feedback;
  if (fault && !(isTouching && CAUSED_BY_CONTACT.has(fault.kind))) return fault.message;
  if (feedback.age_s <= STALE_FEEDBACK_S) return null;
  return `No fresh joint data for ${feedback.age_s.toFixed(3)} s; check the link to the joints`;
}

/** Enters `error` or `collision` on a fault or contact; aborts the motion, keeps the lock. */
export function monitorJoints(context: RobotContext): void {
  const { memory, feedback } = context;
  const isTouching = feedback.contact !== null && memory.detection.enabled;
  const fault = jointFaultMessage(feedback, isTouching || memory.state === 'collision');
  if (memory.state === 'error') refineErrorMessage(context);
  else if (fault !== null) enterError(context, fault);
  else if (memory.state === 'collision') followContact(context);
  else if (isTouching && context.transition('collision')) {
    context.log(
      'error',
      `Collision: unexpected torque at ${jointName(feedback.contact?.joint ?? 0)}`,
    );
    context.abortMotion({ outputs: true });
  }
}

/** In `collision` the driver decides where the arm goes; the next motion starts where it stands. */
function followContact(context: RobotContext): void {
  if (!context.player.moving) context.startFromHeldPose();
}

/** A reason without its measures, which change from tick to tick. */
function wordsOf(reason: string): string {
  return reason.replace(/[\d.]+/g, '');
}

/** Updates the message when the driver learns more: which joint it is, or what the line has. */
function refineErrorMessage(context: RobotContext): void {
  const { memory } = context;
  const { fault } = context.feedback;
  if (!fault || wordsOf(fault.message) === wordsOf(memory.error ?? '')) return;
  memory.error = fault.message;
  context.log('error', fault.message);
}

/** Enters `error` with a message, where the state allows it. Idempotent. */
export function enterError(context: RobotContext, message: string): void {
  if (context.memory.state === 'error') return;
  if (!context.transition('fault')) return;
  context.memory.error = message;
  context.log('error', message);
  context.abortMotion({ outputs: true });
}

/** Revokes an expired lock. */
export function monitorLock(context: RobotContext): void {
  const { lock } = context.memory;
  if (lock && context.tick >= lock.expires_tick) revokeLock(context);
}

/** Removes the lock because it expired or its token ended; stops a teach motion on its path. */
export function revokeLock(context: RobotContext): void {
  const { memory } = context;
  memory.lock = null;
  memory.teach_braking = false;
  context.events.push({ kind: 'lock_status', holder: null });
  if (memory.activity?.mode !== 'teach') return;
  context.log('warning', 'The lock was lost during a teach-mode motion: protective stop');
  memory.ending = 'motion_dropped';
  context.player.stopOnPath('protective');
}

/** Why a run was refused; a motion that cannot be planned has its reason beside a code. */
function reasonOf({ details }: Refusal): string {
  const isMotion = typeof details === 'object' && details !== null && 'error' in details;
  return String(isMotion ? details.error : details);
}

/** Starts and stops the scheduled run at its times of day. */
export function monitorSchedule(context: RobotContext): void {
  const { memory } = context;
  const { schedule } = memory;
  const { timezone } = context.options;
  const now_ms = context.date_ms;
  if (now_ms >= schedule.next_start_ms) {
    schedule.next_start_ms = nextMoment_ms(schedule.start_time, now_ms, timezone);
    if (memory.state === 'ready' && memory.loaded) {
      const refusal = startRun(context, { mode: 'automatic', loop: 0, scheduled: true });
      if (refusal) context.log('warning', `Scheduled run not started: ${reasonOf(refusal)}`);
    } else
      context.log('warning', 'Scheduled run not started: it needs ready and a loaded toolpath');
  }
  if (now_ms >= schedule.next_stop_ms) {
    schedule.next_stop_ms = nextMoment_ms(schedule.stop_time, now_ms, timezone);
    if (!memory.activity?.scheduled) return;
    // A paused run ends after its loop once it is resumed.
    if (memory.state === 'paused') memory.resume_to = 'stopping';
    else context.transition('stop_loop');
  }
}

/** Tick of the next timed event while nothing moves. */
export function nextDeadline_tick(context: RobotContext): number {
  const { lock, schedule, activity, loaded, state } = context.memory;
  const tickOfDate = (date_ms: number) =>
    Math.ceil((date_ms - context.options.epoch_ms) / (TICK_S * 1000) - 1e-9);
  let due = Math.min(tickOfDate(schedule.next_start_ms), tickOfDate(schedule.next_stop_ms));
  if (lock) due = Math.min(due, lock.expires_tick);
  const waiting = activity?.kind === 'run' && (state === 'running' || state === 'stopping');
  const step = waiting ? loaded?.program.steps[activity.cursor.step] : undefined;
  if (step?.kind !== 'wait') return due;
  if (step.condition.type !== 'time') return Math.min(due, nextReading_tick(context.tick));
  const since_s = activity!.cursor.wait_started_s ?? context.now_s;
  return Math.min(due, Math.ceil((since_s + step.condition.duration) / TICK_S - 1e-9));
}
