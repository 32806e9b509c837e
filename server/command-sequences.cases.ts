/**
 * Generated sequences of commands at zero delay, in each phase of a motion, on a simulated plant
 * (decision D29). The invariant monitor judges them. Test code.
 */

import type { Obstacle } from '../bridge/arm-world.ts';
import { planJointMove } from '../physics/motion/joint-move.ts';
import { planResume } from '../physics/motion/resume.ts';
import type { RunningTwin } from './app/app.ts';
import type { Command, CommandKind } from './robot/commands.ts';
import { ADA, AWAY, BEN, HOME, thereAndBack } from './robot/robot-harness.cases.ts';
import type { WorldAction } from './robot/world-actions.ts';

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

/** Enables the schedule for the next whole second of the twin. */
function schedule(twin: RunningTwin): Command {
  const next_ms = 1000 * (Math.floor(twin.loop.epoch_ms / 1000) + 1);
  const timeOfDay = (date_ms: number) => new Date(date_ms).toISOString().slice(11, 19);
  const times = { start_time: timeOfDay(next_ms), end_time: timeOfDay(next_ms + 60_000) };
  return { kind: 'scheduler', caller: ADA, enabled: true, ...times };
}

/** One command of each kind; a kind without one does not compile. */
const BY_KIND: { readonly [Kind in CommandKind]: (twin: RunningTwin) => Command } = {
  lock: () => ({ kind: 'lock', caller: ADA }),
  renew_lock: () => ({ kind: 'renew_lock', caller: ADA }),
  release_lock: () => ({ kind: 'release_lock', caller: ADA }),
  forget_token: () => ({ kind: 'forget_token', token_id: ADA.token_id }),
  load: () => ({ kind: 'load', caller: ADA, toolpath: thereAndBack() }),
  unload: () => ({ kind: 'unload', caller: ADA }),
  detect_collisions: () => ({ kind: 'detect_collisions' }),
  run: () => ({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 }),
  home: () => ({ kind: 'home', caller: ADA }),
  go_to: (twin) => goTo(twin, 'automatic'),
  pause: () => ({ kind: 'pause', caller: ADA }),
  resume,
  cancel: () => ({ kind: 'cancel', caller: ADA }),
  stop_loop: () => ({ kind: 'stop_loop', caller: ADA }),
  abort_motion: () => ({ kind: 'abort_motion', caller: ADA }),
  reset_errors: () => ({ kind: 'reset_errors', caller: ADA }),
  acknowledge_collision: () => ({ kind: 'acknowledge_collision', caller: ADA }),
  globals: ({ robot }) => {
    const value = robot.memory.io.outputs['d0'] !== true;
    return { kind: 'globals', caller: ADA, changes: [{ key: 'outputs.d0', value }] };
  },
  scheduler: schedule,
  collision_detection: () => ({ kind: 'collision_detection', caller: ADA, enabled: false }),
  estop: () => ({ kind: 'estop', engaged: true }),
  inputs: ({ robot }) => ({
    kind: 'inputs',
    values: { d1: robot.memory.io.inputs['d1'] !== true },
  }),
  loopback: () => ({ kind: 'loopback', wires: { d0: 'd0' } }),
  backdriving: () => ({ kind: 'backdriving', pressed: true }),
  stick_inputs: () => ({ kind: 'stick_inputs', stuck: { d1: true } }),
  waypoint_button: () => ({ kind: 'waypoint_button' }),
  begin_update: () => ({ kind: 'begin_update' }),
  finish_update: () => ({ kind: 'finish_update' }),
  power_cycle: () => ({ kind: 'power_cycle' }),
  stand_at: () => ({ kind: 'stand_at', joints: HOME }),
  shut_down: () => ({ kind: 'shut_down' }),
};

/** Every command of a client or of the simulation control API. */
export const COMMANDS = {
  ...BY_KIND,
  lock_other: () => ({ kind: 'lock', caller: BEN }),
  release_other: () => ({ kind: 'release_lock', caller: BEN }),
  run_teach: () => ({ kind: 'run', caller: ADA, mode: 'teach', loop: 0 }),
  go_to_teach: (twin) => goTo(twin, 'teach'),
  estop_release: () => ({ kind: 'estop', engaged: false }),
  button_release: () => ({ kind: 'backdriving', pressed: false }),
} satisfies Readonly<Record<string, (twin: RunningTwin) => Command>>;
export type CommandName = keyof typeof COMMANDS;

/** A box beside the flange, half way between the two poses. */
export const BOX: Obstacle = {
  name: 'box',
  position: { x: 0.34, y: 0.14, z: 0.48 },
  half: { x: 0.05, y: 0.05, z: 0.05 },
  orientation: { w: 1, x: 0, y: 0, z: 0 },
  stiffness_n_per_m: 25_000,
};

/** What happens to the arm, with what ends it. */
const WORLD: Readonly<Record<string, readonly [start: WorldAction, end: WorldAction | null]>> = {
  contact: [{ kind: 'contact', joint: 1 }, null],
  fault: [
    { kind: 'joint_fault', joint: 2, fault: 'overload' },
    { kind: 'joint_fault', joint: 2, fault: null },
  ],
  push: [
    { kind: 'push', force_n: [0, 150, 0] },
    { kind: 'push', force_n: [0, 0, 0] },
  ],
  obstacle: [
    { kind: 'obstacles', obstacles: [BOX] },
    { kind: 'obstacles', obstacles: [] },
  ],
};

export const NAMES = [...Object.keys(COMMANDS), ...Object.keys(WORLD)];

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
  for (const [, end] of Object.values(WORLD)) if (end) loop.applyWorldAction(end);
  loop.apply({ kind: 'estop', engaged: false });
  loop.apply({ kind: 'loopback', wires: {} });
  loop.apply({ kind: 'stick_inputs', stuck: {} });
  loop.apply({ kind: 'power_cycle' });
  await tick(twin, 1);
  loop.apply({ kind: 'stand_at', joints: HOME });
  loop.applyWorldAction({ kind: 'place', joints: HOME });
  await tick(twin, 0.02);
  loop.apply({ kind: 'lock', caller: ADA });
  loop.apply({ kind: 'scheduler', caller: ADA, enabled: false });
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
  const action = WORLD[name]?.[0];
  if (action) loop.applyWorldAction(action);
  else loop.apply(COMMANDS[name as CommandName](twin));
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
