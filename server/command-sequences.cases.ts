/**
 * Generated sequences of commands at zero delay, in each phase of a motion, on a simulated plant
 * (decision D29). The invariant monitor judges them. Test code.
 */

import { planJointMove } from '../physics/motion/joint-move.ts';
import { planResume } from '../physics/motion/retime.ts';
import type { RunningTwin } from './app/app.ts';
import type { Command } from './robot/commands.ts';
import { ADA, AWAY, HOME, thereAndBack } from './robot/robot-harness.cases.ts';

export const PHASES = [
  'at rest',
  'accelerating',
  'cruising',
  'braking',
  'waiting',
  'paused',
] as const;
export type Phase = (typeof PHASES)[number];

const caps = { tool_speed_m_s: 1.5, tool_offset_m: [0, 0, 0] as const };

function goTo({ robot }: RunningTwin, mode: 'automatic' | 'teach'): Command {
  const start = Float64Array.from(robot.restPose);
  const isNearHome = Math.abs(start[0]! - HOME[0]!) < 0.2;
  const end = Float64Array.from(isNearHome ? AWAY : HOME);
  const slow = { ...caps, tool_speed_m_s: mode === 'teach' ? 0.25 : 1.5 };
  const { path, profile } = planJointMove({ start, end, caps: slow, waypoints: [] });
  return { kind: 'go_to', caller: ADA, mode, motion: { start, path, profile, caps: slow } };
}

function resume({ robot }: RunningTwin): Command {
  const paused = robot.pausedMotion;
  const profile = paused ? planResume(paused).profile : null;
  return { kind: 'resume', caller: ADA, profile };
}

/** Every command of a client or of the simulation control API that affects state or motion. */
export const COMMANDS: Readonly<Record<string, (twin: RunningTwin) => Command>> = {
  lock: () => ({ kind: 'lock', caller: ADA }),
  release_lock: () => ({ kind: 'release_lock', caller: ADA }),
  forget_token: () => ({ kind: 'forget_token', token_id: ADA.token_id }),
  load: () => ({ kind: 'load', caller: ADA, toolpath: thereAndBack() }),
  run: () => ({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 }),
  run_teach: () => ({ kind: 'run', caller: ADA, mode: 'teach', loop: 0 }),
  home: () => ({ kind: 'home', caller: ADA }),
  go_to: (twin) => goTo(twin, 'automatic'),
  go_to_teach: (twin) => goTo(twin, 'teach'),
  pause: () => ({ kind: 'pause', caller: ADA }),
  resume,
  cancel: () => ({ kind: 'cancel', caller: ADA }),
  stop_loop: () => ({ kind: 'stop_loop', caller: ADA }),
  abort_motion: () => ({ kind: 'abort_motion', caller: ADA }),
  reset_errors: () => ({ kind: 'reset_errors', caller: ADA }),
  acknowledge_collision: () => ({ kind: 'acknowledge_collision', caller: ADA }),
  estop: () => ({ kind: 'estop', engaged: true }),
  estop_release: () => ({ kind: 'estop', engaged: false }),
  button: () => ({ kind: 'backdriving', pressed: true }),
  button_release: () => ({ kind: 'backdriving', pressed: false }),
  power_cycle: () => ({ kind: 'power_cycle' }),
};

export const NAMES = [...Object.keys(COMMANDS), 'contact', 'fault'];

/** Twin time from the start of a motion to its phase (s); the motion lasts about 0.8 s. */
const PHASE_S: Readonly<Record<Phase, number>> = {
  'at rest': 0,
  accelerating: 0.06,
  cruising: 0.25,
  braking: 0.4,
  waiting: 0.1,
  paused: 0.25,
};

const tick = (twin: RunningTwin, seconds: number) =>
  twin.clock.advance(Math.round(seconds / 0.004));

/** Brings the twin to rest at home, without errors, with the lock held. */
async function reset(twin: RunningTwin): Promise<void> {
  const { loop } = twin;
  loop.applyWorldAction({ kind: 'joint_fault', joint: 2, fault: null });
  loop.apply({ kind: 'estop', engaged: false });
  loop.apply({ kind: 'power_cycle' });
  await tick(twin, 1);
  loop.apply({ kind: 'stand_at', joints: HOME });
  loop.applyWorldAction({ kind: 'place', joints: HOME });
  await tick(twin, 0.02);
  loop.apply({ kind: 'lock', caller: ADA });
  const enabled = { enabled: true, sensitivity: 'high' } as const;
  loop.apply({ kind: 'collision_detection', caller: ADA, ...enabled });
}

/** Starts a motion and advances to the phase. */
async function enter(twin: RunningTwin, phase: Phase, mode: 'automatic' | 'teach'): Promise<void> {
  const { loop } = twin;
  if (phase === 'at rest') return;
  if (phase === 'waiting') {
    const toolpath = waitingToolpath();
    loop.apply({ kind: 'load', caller: ADA, toolpath });
    loop.apply({ kind: 'run', caller: ADA, mode, loop: 0 });
  } else loop.apply(goTo(twin, mode));
  await tick(twin, PHASE_S[phase]);
  if (phase !== 'paused') return;
  loop.apply({ kind: 'pause', caller: ADA });
  await tick(twin, 0.6);
}

function waitingToolpath() {
  const toolpath = thereAndBack();
  const condition = { type: 'time', duration: 60 } as const;
  const wait = { kind: 'wait', condition, next: 0, at: '/timeline/0' } as never;
  return { ...toolpath, program: { ...toolpath.program, steps: [wait] } };
}

function send(twin: RunningTwin, name: string): void {
  const { loop } = twin;
  if (name === 'contact') loop.applyWorldAction({ kind: 'contact', joint: 1 });
  else if (name === 'fault') {
    loop.applyWorldAction({ kind: 'joint_fault', joint: 2, fault: 'overload' });
  } else loop.apply(COMMANDS[name]!(twin));
}

/** Sends the commands without delay, then with a tick between them, and plays what follows. */
export async function playSequence(
  twin: RunningTwin,
  names: readonly string[],
  start: { readonly phase: Phase; readonly mode: 'automatic' | 'teach' },
): Promise<void> {
  for (const gap_ticks of [0, 1]) {
    await reset(twin);
    await enter(twin, start.phase, start.mode);
    for (const name of names) {
      send(twin, name);
      if (gap_ticks > 0) await twin.clock.advance(gap_ticks);
    }
    await tick(twin, 0.5);
  }
}
