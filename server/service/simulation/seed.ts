/**
 * Seeds: one document that defines the twin's state. Users and toolpaths change first, the rest
 * together between two ticks. Applying a seed again changes nothing.
 */

import { ERROR_ROWS } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Problem } from '../../../contract/problem.ts';
import { isRefusal, type Refusal, refuse, refuseAt } from '../../../contract/refusal.ts';
import type { RobotState } from '../../../contract/robot-states.ts';
import type { SeedUser } from '../../../contract/types.generated.ts';
import { ARM_NAME, JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../../physics/arm/arm-model.ts';
import { metByArm } from '../../../physics/cell/arm-overlaps.ts';
import { profileProblems, timingOf } from '../../../physics/motion/arm-profile.ts';
import { cellRefusal } from '../../cell/cell-handlers.ts';
import { paceFrom } from '../../clock/clock-reply.ts';
import { tickOf } from '../../clock/twin-time.ts';
import type { CheckedSeed } from '../../documents/checked-seed.ts';
import type { Caller } from '../../robot/caller.ts';
import type { CommandResult } from '../../robot/commands.ts';
import { type SignalValues, writeSignals } from '../../robot/io.ts';
import type { LoadedToolpath } from '../../robot/loaded-toolpath.ts';
import { createMemory, type RobotMemory } from '../../robot/memory.ts';
import { reschedule } from '../../robot/schedule.ts';
import type { RobotStateSnapshot } from '../../robot/state-snapshot.ts';
import type { TrajectoryPlayerMemory } from '../../robot/trajectory-player.ts';
import { THE_TWIN } from '../../shares/claimant.ts';
import type { UserRecord } from '../../store/records.ts';
import type { Services } from '../http/services.ts';
import { ownerOf, SeedUndo } from './seed-undo.ts';
import type { Simulation } from './simulation.ts';
import { restoreTwinSnapshot } from './snapshot-restore.ts';
import { twinSnapshotWith } from './snapshot-taking.ts';
import { readToolpaths, type ToolpathsSnapshot } from './toolpaths-snapshot.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';

type SeedRefusal = Refusal<'invalid_arguments'>;
/** Holds the lock while a seed starts a motion; no token has this id. */
const SEED_CALLER: Caller = { user_id: 0, token_id: 0, role: 'admin' };

/** Memory of a trajectory player without motions. */
const NO_MOTION = {
  motion: null,
  following: null,
  halted: null,
  emergency: null,
  wanted_stop: null,
} satisfies Partial<TrajectoryPlayerMemory>;

/** Memory changes on entry to the states without a motion. */
const STATIC_STATES: { readonly [State in RobotState]?: (memory: RobotMemory) => void } = {
  ready: () => {},
  error: (memory) => {
    memory.error = 'An error was seeded';
  },
  collision: (memory) => {
    memory.detection.enabled = true;
  },
  disabled: (memory) => {
    memory.estop = true;
  },
  backdriving: () => {},
  shutting_down: () => {},
};

/** Ends the activity and enters a state without a motion. */
function enterStaticState(memory: RobotMemory, state: RobotState): void {
  const { io, loaded, schedule, detection, loop_count, loop_target, timing } = memory;
  const kept = { io, loaded, schedule, detection, loop_count, loop_target, timing };
  Object.assign(memory, createMemory(), kept, { state });
  STATIC_STATES[state]?.(memory);
}

/** The robot's state with the seed's signals and state; a refusal names invalid values. */
function withSeedValues(
  snapshot: RobotStateSnapshot,
  seed: CheckedSeed,
  loaded: LoadedToolpath | null,
): RobotStateSnapshot | SeedRefusal {
  const { memory } = snapshot;
  if (seed.profile) memory.timing = timingOf(seed.profile);
  if (loaded) memory.loaded = loaded;
  if (seed.loopback) {
    memory.io.loopback = Object.fromEntries(
      seed.loopback.map(({ output, input }) => [output, input]),
    );
  }
  const problems = [
    ...writeSignals(memory.io, 'inputs', (seed.inputs ?? {}) as SignalValues),
    ...writeSignals(memory.io, 'outputs', (seed.outputs ?? {}) as SignalValues),
  ];
  if (problems.length > 0) return refuse('invalid_arguments', problems);
  if (seed.state !== undefined || seed.pose !== undefined) {
    const state = seed.state !== undefined && seed.state in STATIC_STATES ? seed.state : 'ready';
    enterStaticState(memory, state);
    return { ...snapshot, mover: { ...snapshot.mover, ...NO_MOTION } };
  }
  return snapshot;
}

function startRun(simulation: Simulation): CommandResult<'lock' | 'run'> {
  const { loop } = simulation.parts.services;
  const caller = SEED_CALLER;
  return (
    loop.apply({ kind: 'lock', caller }) ??
    loop.apply({ kind: 'run', caller, mode: 'automatic', loop: 0 })
  );
}

/** Enters a state with a motion or an update by the robot's own commands; frees the lock. */
async function enterByCommands(
  simulation: Simulation,
  state: RobotState,
): Promise<SeedRefusal | null> {
  const { services, clock } = simulation.parts;
  const { loop, robot, updates } = services;
  const caller = SEED_CALLER;
  if (state === 'updating') {
    const next = updates.list()[0]?.version;
    if (next === undefined) return refuseAt('/state', 'no update is available');
    return refusedAt('/state', updates.apply(next));
  }
  let refusal: Refusal | null = startRun(simulation);
  if (!refusal && state === 'stopping') refusal = loop.apply({ kind: 'stop_loop', caller });
  if (!refusal && state === 'paused') {
    await clock.advance(1);
    refusal = loop.apply({ kind: 'pause', caller });
    await clock.advance(tickOf(limits.standstill_wait_s), () => robot.memory.state === state);
  }
  loop.apply({ kind: 'release_lock', caller });
  return refusedAt('/state', refusal);
}

/** The refusal of objects and obstacles in which the arm stands after the seed. */
function metBySeed(
  { parts, obstacles }: Simulation,
  { cell, pose, obstacles: seeded }: CheckedSeed,
): SeedRefusal | null {
  const { world } = parts;
  const standing = seeded ?? (pose ? obstacles.list() : []);
  const hit = obstacles.metByArm(standing, seeded ? '/obstacles' : '/pose');
  if (hit.length > 0) return refuse('invalid_arguments', hit);
  const present = pose && world?.cell ? metByArm(world.cell) : [];
  const met = (cell ? world?.metByArm(cell) : present) ?? [];
  const path = cell ? '/cell' : '/pose';
  return met.length > 0 ? refuse('invalid_arguments', placed(path, met)) : null;
}

/** Applies the seed to robot, world and time. */
async function applySeedState(
  simulation: Simulation,
  applied: AppliedSeed,
  loaded: LoadedToolpath | null,
): Promise<SeedRefusal | null> {
  const { seed } = applied;
  const { services, clock } = simulation.parts;
  const { loop } = services;
  const robot = withSeedValues(services.robot.save(loop.tick), seed, loaded);
  if ('refused' in robot) return robot;
  const cell = seed.cell ?? simulation.parts.world?.cell?.model.description;
  const refused = refusedAt('/cell', cellRefusal(cell, robot.memory.io.loopback));
  if (refused) return refused;
  const date_ms = seed.clock?.date === undefined ? null : Date.parse(seed.clock.date);
  const epoch_ms = date_ms === null ? robot.epoch_ms : date_ms - loop.now_s * 1000;
  // The next start and stop are dates: those of the former date would come at once, or never.
  if (date_ms !== null) {
    reschedule(robot.memory.schedule, { now_ms: date_ms, timezone: robot.timezone });
  }
  applied.snapshot = twinSnapshotWith(simulation, applied.library);
  loop.restore({ ...robot, epoch_ms }, loop.tick);
  if (seed.pose || (seed.state !== undefined && robot.memory.activity === null)) {
    const joints = seed.pose ?? Array.from(services.robot.restPose);
    loop.applyWorldAction({ kind: 'place', joints });
    loop.apply({ kind: 'stand_at', joints });
  }
  const met = metBySeed(simulation, seed);
  if (met) return met;
  if (seed.profile) loop.applyWorldAction({ kind: 'profile', profile: seed.profile });
  if (seed.realism) loop.applyWorldAction({ kind: 'realism', realism: seed.realism });
  if (seed.cell) simulation.setCell(seed.cell);
  if (seed.obstacles) simulation.obstacles.replaceNumbered(seed.obstacles);
  const needsCommands = seed.state !== undefined && !(seed.state in STATIC_STATES);
  const refusal = needsCommands ? await enterByCommands(simulation, seed.state!) : null;
  if (refusal) return refusal;
  const { pace, paused } = seed.clock ?? {};
  if (pace === undefined && paused === undefined) return null;
  clock.set({ pace: pace === undefined ? undefined : paceFrom(pace), paused });
  return null;
}

function placed(place: string, found: readonly Problem[]): Problem[] {
  return found.map(({ path, problem }) => ({ path: place + path, problem }));
}

/** The refusal of a part of the seed, with its place. */
function refusedAt(path: string, refusal: Refusal | null): SeedRefusal | null {
  if (!refusal) return null;
  const { details, refused } = refusal;
  if (refused === 'invalid_arguments' && Array.isArray(details)) {
    return refuse('invalid_arguments', placed(path, details as readonly Problem[]));
  }
  return refuseAt(path, typeof details === 'string' ? details : ERROR_ROWS[refused].title);
}

/** Dates that every format of a date can show, also years after a seed. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 9000;
/** Characters of a date up to its seconds. */
const DATE_CHARACTERS = 19;

/** Problems of a date that no calendar has: the parser rolls February 30 over to March. */
function dateProblems(date: string): Problem[] {
  const date_ms = Date.parse(date);
  const year = Number(date.slice(0, 4));
  const isShown =
    !Number.isNaN(date_ms) &&
    new Date(date_ms).toISOString().startsWith(date.slice(0, DATE_CHARACTERS));
  if (isShown && year >= FIRST_YEAR && year <= LAST_YEAR) return [];
  const problem = `must be a date that exists, from ${FIRST_YEAR} to ${LAST_YEAR}, in UTC`;
  return [{ path: '/clock/date', problem }];
}

/** The problem of a seed that names another arm than that of this process. */
function armProblems(arm: string | undefined): Problem[] {
  if (arm === undefined || arm === ARM_NAME) return [];
  const problem = `is ${JSON.stringify(arm)}: the seed is for another arm; this twin has ${ARM_NAME}, start it with --arm ${arm}`;
  return [{ path: '/arm', problem }];
}

/** Checks that need no change of the twin: arm, date, toolpaths and pose. */
function seedRefusal(seed: CheckedSeed): SeedRefusal | null {
  const { arm, toolpaths = [], pose, profile, clock } = seed;
  const problems = [
    ...armProblems(arm),
    ...(clock?.date === undefined ? [] : dateProblems(clock.date)),
    ...placed('/profile', profile ? profileProblems(profile) : []),
    ...toolpaths.flatMap(({ toolpath }, i) =>
      'refused' in toolpath ? placed(`/toolpaths/${i}`, toolpath.details as Problem[]) : [],
    ),
  ];
  pose?.forEach((angle, joint) => {
    const [low, high] = [JOINT_MIN_RAD[joint]!, JOINT_MAX_RAD[joint]!];
    if (angle >= low && angle <= high) return;
    problems.push({ path: `/pose/${joint}`, problem: `must lie between ${low} and ${high} rad` });
  });
  return problems.length > 0 ? refuse('invalid_arguments', problems) : null;
}

async function applySeedUser(
  { users }: Services,
  seed: SeedUser,
  undo: SeedUndo,
): Promise<Refusal | null> {
  const { email, password, role, tokens = [] } = seed;
  const known = users.named(email);
  const user = known ?? (await users.create(email, password ?? null));
  if ('refused' in user) return user;
  if (!known) undo.noteUser(user.id);
  const edit = {
    ...(known && password !== undefined ? { password } : {}),
    ...(role !== undefined ? { role } : {}),
  };
  const onChanged = (before: UserRecord, after: UserRecord) => undo.noteChange(before, after);
  const changed = await users.update(user.id, edit, { onChanged });
  if ('refused' in changed) return changed;
  for (const { name, token } of tokens) {
    if (users.tokenOf(token)) continue;
    const made = await users.createToken(user.id, name, { secret: token });
    if ('refused' in made) return made;
    undo.noteToken(made.id);
  }
  return null;
}

async function applySeedToolpath(
  services: Services,
  given: NonNullable<CheckedSeed['toolpaths']>[number],
  { path, undo }: { readonly path: string; readonly undo: SeedUndo },
): Promise<SeedRefusal | null> {
  const { library } = services;
  const { name, ...seed } = given;
  const owner = ownerOf(services, seed.owner);
  if (owner === null) return refuseAt(`${path}/owner`, `there is no user ${seed.owner}`);
  const known = library.named(owner, name);
  const { toolpath } = seed;
  if ('refused' in toolpath) return refusedAt(path, toolpath);
  if (known?.hash === toolpath.hash) return null;
  const save = known ? library.update({ id: known.id, name, toolpath }) : null;
  const saved = await (save ?? library.create({ owner_id: owner, name, toolpath }));
  // Another call has removed it meanwhile.
  if (!saved) return applySeedToolpath(services, given, { path, undo });
  if ('refused' in saved) return refusedAt(path, saved);
  undo.noteToolpath(saved);
  return null;
}

/** Builds the selected toolpath, ready to run. */
async function buildSelected(
  { database, library, planner, robot }: Services,
  { selected: name = '', profile }: CheckedSeed,
): Promise<LoadedToolpath | SeedRefusal> {
  const row = database.records.toolpaths.find((entry) => entry.name === name);
  if (!row) return refuseAt('/selected', `there is no saved toolpath “${name}”`);
  const toolpath = await library.open(row.id);
  const timing = profile ? timingOf(profile) : robot.memory.timing;
  const built = await planner.load({ name, toolpath, timing, claimant: THE_TWIN });
  if (isRefusal(built)) return refuseAt('/selected', `is not planned now: ${built.details}`);
  if (built.kind !== 'built') return refuseAt('/selected', `cannot be built: ${built.error}`);
  return built.loaded;
}

/** A seed that is being applied. */
interface AppliedSeed {
  readonly seed: CheckedSeed;
  /** The saved toolpaths before it. */
  readonly library: ToolpathsSnapshot;
  readonly undo: SeedUndo;
  /** The twin just before the seed changed robot, world or time; null until then. */
  snapshot: TwinSnapshot | null;
}

/** Scopes of what a seed changes between two ticks. */
const STATE_SCOPES = new Set(['state', 'clock', 'faults', 'obstacles'] as const);

/** Applies a seed; on a refusal or an error what it has changed is as before, and nothing else. */
export async function applySeed(
  simulation: Simulation,
  seed: CheckedSeed,
): Promise<SeedRefusal | Refusal<'not_supported'> | null> {
  const refusal = simulation.worldRefusal ?? seedRefusal(seed);
  if (refusal) return refusal;
  const { services, clock } = simulation.parts;
  // What the seed may replace: the bodies of a whole library would take long.
  const names = new Set(seed.toolpaths?.map(({ name }) => name));
  const library = await readToolpaths(services, { names });
  const undo = new SeedUndo(services, seed, library);
  const applied: AppliedSeed = { seed, library, undo, snapshot: null };
  const takeBack = async () => {
    const { snapshot } = applied;
    if (snapshot !== null) {
      const scopes = STATE_SCOPES;
      await restoreTwinSnapshot(simulation, { snapshot, users: null, scopes, preserved: null });
      clock.set({});
    }
    await undo.run();
  };
  try {
    const refused = await applyParts(simulation, applied);
    if (refused) await takeBack();
    return refused;
  } catch (error) {
    await takeBack();
    throw error;
  }
}

async function applySeedUsers(
  services: Services,
  { seed, undo }: AppliedSeed,
): Promise<SeedRefusal | null> {
  for (const [i, user] of (seed.users ?? []).entries()) {
    const refused = refusedAt(`/users/${i}`, await applySeedUser(services, user, undo));
    if (refused) return refused;
  }
  for (const [i, toolpath] of (seed.toolpaths ?? []).entries()) {
    const refused = await applySeedToolpath(services, toolpath, {
      path: `/toolpaths/${i}`,
      undo,
    });
    if (refused) return refused;
  }
  return null;
}

async function applyParts(
  simulation: Simulation,
  applied: AppliedSeed,
): Promise<SeedRefusal | null> {
  const { services } = simulation.parts;
  const { seed } = applied;
  const { name } = seed;
  const refused = await applySeedUsers(services, applied);
  if (refused) return refused;
  if (name !== undefined && name !== services.database.name) {
    await services.database.change((draft) => Object.assign(draft, { name }));
  }
  const loaded = seed.selected === undefined ? null : await buildSelected(services, seed);
  if (loaded && 'refused' in loaded) return loaded;
  return applySeedState(simulation, applied, loaded);
}
