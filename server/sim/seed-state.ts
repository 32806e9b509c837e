/**
 * The part of a seed that touches robot, world and time: put together as an image of the robot and
 * put back in one go. States in which a motion is under way are entered by the robot's own
 * commands, on behalf of nobody: the lock is free afterwards.
 */
import type { RobotState } from '../../contract/robot-states.ts';
import type { SeedBody } from '../../contract/types.ts';
import { tickOf } from '../clock/twin-time.ts';
import type { Caller, LoadedToolpath } from '../robot/commands.ts';
import type { RobotImage } from '../robot/image.ts';
import { faultOf, type IoValues, keysWithModesFirst, writeIo } from '../robot/io.ts';
import { createMemory, type RobotMemory } from '../robot/memory.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import { paceFrom } from './clock-handlers.ts';
import type { Simulation } from './simulation.ts';

/** Holds the lock while a seed sets a motion going; no token has this number. */
const SEED_CALLER: Caller = { user_id: 0, token_id: 0, role: 'admin' };
/** A pause has found its place on the path by then. */
const STOP_LIMIT_S = 5;

/** A mover without anything to play. */
const STILL = { motion: null, following: null, halted: null, emergency: null, wanted_stop: null };

type Entering = (memory: RobotMemory) => void;

/** What the memory holds in states without a motion; `state` itself is set for all of them. */
const ENTERING: { readonly [State in RobotState]?: Entering } = {
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

/** Writes the values of one side; a list of problems when one does not fit. */
function writeValues(memory: RobotMemory, side: 'inputs' | 'outputs', values: IoValues) {
  const problems: { path: string; problem: string }[] = [];
  for (const key of keysWithModesFirst(values)) {
    const fault = faultOf(memory.io[side], key, values[key]);
    if (fault) problems.push({ path: `/${side}/${key}`, problem: fault.text });
    else {
      writeIo(memory.io, side, key, values[key]!);
      if (side === 'inputs') memory.io.wired[key] = true;
    }
  }
  return problems;
}

/** Drops what the robot was about, and enters a state that no motion is part of. */
function enter(memory: RobotMemory, state: RobotState): void {
  const { activity, dropping, error, error_behind_estop, estop, lock } = createMemory();
  Object.assign(memory, { activity, dropping, error, error_behind_estop, estop, lock, state });
  ENTERING[state]?.(memory);
}

function edited(
  image: RobotImage,
  seed: SeedBody,
  loaded: LoadedToolpath | null,
): RobotImage | Refusal {
  const { memory } = image;
  if (loaded) memory.loaded = loaded;
  if (seed.loopback) {
    memory.io.loopback = Object.fromEntries(
      seed.loopback.map(({ output, input }) => [output, input]),
    );
  }
  const problems = [
    ...writeValues(memory, 'inputs', (seed.inputs ?? {}) as IoValues),
    ...writeValues(memory, 'outputs', (seed.outputs ?? {}) as IoValues),
  ];
  if (problems.length > 0) return refuse('invalid_arguments', problems);
  if (seed.state !== undefined || seed.pose !== undefined) {
    const still = seed.state !== undefined && seed.state in ENTERING ? seed.state : 'ready';
    enter(memory, still);
    return { ...image, mover: { ...image.mover, ...STILL } };
  }
  return image;
}

function runs(simulation: Simulation): Refusal | null {
  const { loop } = simulation.parts.rooms;
  const caller = SEED_CALLER;
  return (
    loop.apply({ kind: 'lock', caller }) ??
    loop.apply({ kind: 'run', caller, mode: 'automatic', loop: 0 })
  );
}

/** Enters a state that only the robot itself can lead to. */
async function lead(simulation: Simulation, state: RobotState): Promise<Refusal | null> {
  const { rooms, clock } = simulation.parts;
  const { loop, robot, updates } = rooms;
  const caller = SEED_CALLER;
  if (state === 'updating') {
    const next = updates.list()[0]?.version;
    return next === undefined
      ? refuse('invalid_arguments', [{ path: '/state', problem: 'no update is left to install' }])
      : updates.apply(next);
  }
  let refusal = runs(simulation);
  if (!refusal && state === 'stopping') refusal = loop.apply({ kind: 'stop_loop', caller });
  if (!refusal && state === 'paused') {
    await clock.advance(1);
    refusal = loop.apply({ kind: 'pause', caller });
    await clock.advance(tickOf(STOP_LIMIT_S), () => robot.idle);
  }
  loop.apply({ kind: 'release_lock', caller });
  return refusal;
}

/** Brings robot, world and time to how the seed says. */
export async function plantState(
  simulation: Simulation,
  seed: SeedBody,
  loaded: LoadedToolpath | null,
): Promise<Refusal | null> {
  const { rooms, clock } = simulation.parts;
  const { loop } = rooms;
  const robot = edited(rooms.robot.save(loop.tick), seed, loaded);
  if ('refused' in robot) return robot;
  const date_ms = seed.clock?.date === undefined ? null : Date.parse(seed.clock.date);
  const epoch_ms = date_ms === null ? robot.epoch_ms : date_ms - loop.now_s * 1000;
  loop.restore({ ...robot, epoch_ms }, loop.tick);
  if (seed.pose || (seed.state !== undefined && robot.memory.activity === null)) {
    const joints = seed.pose ?? Array.from(rooms.robot.restPose);
    loop.act({ kind: 'place', joints });
    loop.apply({ kind: 'stand_at', joints });
  }
  if (seed.obstacles) simulation.obstacles.seed(seed.obstacles);
  const led = seed.state !== undefined && !(seed.state in ENTERING);
  const refusal = led ? await lead(simulation, seed.state!) : null;
  if (refusal) return refusal;
  if (seed.clock?.paused !== undefined) clock.setPaused(seed.clock.paused);
  if (seed.clock?.pace !== undefined) clock.setPace(paceFrom(seed.clock.pace));
  return null;
}
