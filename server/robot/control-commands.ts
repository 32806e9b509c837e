/**
 * The control calls of spec §4.5 as effects on the robot. Each is entered only when the state
 * table allows the command and the caller holds the lock.
 */
import { TICK_S } from '../../bridge/arm-driver.ts';
import { planApproach, speedCap_m_s } from '../../physics/toolpath/go-to.ts';
import { startCursor } from '../../physics/toolpath/player.ts';
import type { Command, LoadedToolpath, RunMode } from './commands.ts';
import type { RobotCore } from './core.ts';
import { setAnalogModes } from './io.ts';
import { restartLockTimer } from './lock.ts';
import type { Activity } from './memory.ts';
import type { PlayedMotion } from './mover.ts';
import { type Refusal, refuse } from './refusal.ts';

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

function missingToolpath(what: 'run' | 'home'): Refusal {
  const purpose = what === 'run' ? 'to run' : 'to go home to';
  return refuse('toolpath_missing', `Need a valid uploaded timeline ${purpose}`);
}

function startActivity(core: RobotCore, activity: Omit<Activity, 'at'>): void {
  core.memory.activity = { ...activity, at: '' };
  core.memory.resume_to = 'running';
  core.memory.dropping = false;
  core.change(activity.kind);
  restartLockTimer(core.memory, core.tick);
}

/** Loads a built toolpath: it becomes the selected one, its payload and analog modes hold. */
export function load(core: RobotCore, command: Of<'load'>): Refusal | null {
  core.memory.loaded = command.toolpath;
  setAnalogModes(core.memory.io, command.toolpath.program.analog_modes);
  core.log('info', `Toolpath “${command.toolpath.name}” loaded`);
  return null;
}

/** The checked way from where the arm stands to the home waypoint (decision D28). */
function approach(
  core: RobotCore,
  loaded: LoadedToolpath,
  mode: RunMode,
): { readonly motion: PlayedMotion | null } | Refusal {
  if (core.mover.stopPending) return refuse('wrong_state', 'The arm is still coming to rest');
  const { program, metadata } = loaded;
  if (core.mover.fits(program.home)) return { motion: null };
  const start = core.mover.restPose;
  const plan = planApproach({ start, home: program.home, mode, metadata });
  if (!plan.ok) return refuse('motion_refused', { error: plan.message, code: plan.code });
  const caps = {
    tool_speed_m_s: Math.min(metadata.default_max_speed, speedCap_m_s(mode)),
    tool_offset_m: program.tool_offset_m,
  };
  return { motion: { path: plan.segment.path, profile: plan.segment.profile, caps } };
}

/** Starts the loaded toolpath from where the arm stands; the schedule does so too. */
export function startRun(
  core: RobotCore,
  request: Pick<Of<'run'>, 'mode' | 'loop'> & { readonly scheduled: boolean },
): Refusal | null {
  const { loaded } = core.memory;
  if (!loaded) return missingToolpath('run');
  const found = approach(core, loaded, request.mode);
  if ('refused' in found) return found;
  core.memory.loop_count = 0;
  core.memory.loop_target = request.loop;
  startActivity(core, {
    kind: 'run',
    mode: request.mode,
    scheduled: request.scheduled,
    payload_kg: loaded.program.payload_kg,
    cursor: startCursor(loaded.program),
  });
  if (found.motion) core.mover.begin(found.motion);
  return null;
}

export function run(core: RobotCore, command: Of<'run'>): Refusal | null {
  return startRun(core, { mode: command.mode, loop: command.loop, scheduled: false });
}

/** Moves to the first waypoint of the loaded toolpath, in teach mode. */
export function home(core: RobotCore): Refusal | null {
  const { loaded } = core.memory;
  if (!loaded) return missingToolpath('home');
  const found = approach(core, loaded, 'teach');
  if ('refused' in found) return found;
  const { payload_kg } = loaded.program;
  const cursor = startCursor(loaded.program);
  startActivity(core, { kind: 'home', mode: 'teach', scheduled: false, payload_kg, cursor });
  if (found.motion) core.mover.begin(found.motion);
  return null;
}

export function goTo(core: RobotCore, command: Of<'go_to'>): Refusal | null {
  const { motion, mode } = command;
  if (!core.mover.fits(motion.start) || core.mover.stopPending) {
    return refuse('wrong_state', 'The arm has moved since the motion was planned; ask again');
  }
  const payload_kg = core.memory.loaded?.program.payload_kg ?? 0;
  const cursor = { step: 0, wait_started_s: null };
  startActivity(core, { kind: 'go_to', mode, scheduled: false, payload_kg, cursor });
  core.mover.begin(motion);
  return null;
}

export function pause(core: RobotCore): null {
  const { memory } = core;
  memory.resume_to = memory.state === 'stopping' ? 'stopping' : 'running';
  core.change('pause');
  memory.paused_tick = core.tick;
  core.mover.stopOnPath('pause');
  return null;
}

/** Goes on along the path; time spent in the pause does not count towards a wait. */
export function resume(core: RobotCore, command: Of<'resume'>): Refusal | null {
  const { memory, mover } = core;
  if (mover.stopPending) mover.keepGoing();
  else if (mover.halted) {
    if (!command.profile) {
      return refuse('wrong_state', 'The arm has come to rest meanwhile; ask again');
    }
    mover.resume(command.profile);
  }
  const cursor = memory.activity?.cursor;
  if (cursor && cursor.wait_started_s !== null) {
    cursor.wait_started_s += core.now_s - memory.paused_tick * TICK_S;
  }
  core.change(memory.resume_to === 'stopping' ? 'resume_last_loop' : 'resume');
  return null;
}

export function cancel(core: RobotCore): null {
  core.mover.forget();
  core.change('cancel');
  core.endActivity();
  return null;
}

export function stopLoop(core: RobotCore): null {
  core.change('stop_loop');
  return null;
}

function causeLasts(core: RobotCore): Refusal | null {
  if (core.options.recover()) return null;
  const cause = core.feedback.fault?.message ?? 'The cause of the fault is still there';
  return refuse('wrong_state', cause);
}

/** Leaves `error`; refused while its cause lasts. The arm starts anew from where it stands. */
export function resetErrors(core: RobotCore): Refusal | null {
  const refusal = causeLasts(core);
  if (refusal) return refusal;
  core.memory.error = null;
  core.change('reset_errors');
  core.mover.standAt(core.feedback.position_rad);
  return null;
}

/** Leaves `collision`: the robot can be moved again. */
export function acknowledgeCollision(core: RobotCore): Refusal | null {
  const refusal = causeLasts(core);
  if (refusal) return refusal;
  core.change('acknowledge_collision');
  core.mover.standAt(core.feedback.position_rad);
  return null;
}

export function collisionDetection(core: RobotCore, command: Of<'collision_detection'>): null {
  const { detection } = core.memory;
  detection.enabled = command.enabled;
  if (command.sensitivity) detection.sensitivity = command.sensitivity;
  return null;
}
