/**
 * Tries the state of a snapshot file, which may be made by hand, on a twin of its own: ticks,
 * and the commands that read what a tick alone does not. The live twin takes no part in it.
 */
import type { Feedback } from '../../bridge/arm-driver.ts';
import { PHYSICS_FINGERPRINT } from '../../physics/arm/arm-model.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import {
  type HeaderLine,
  RECORDING_FORMAT,
  type SnapshotLine,
} from '../recording/recording-format.ts';
import { RecordingReplay, type ReplayTarget } from '../recording/replay.ts';
import type { Caller, Command } from '../robot/commands.ts';
import { InvariantMonitor, type InvariantViolation } from '../robot/invariants.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';

type TrialTask = Pick<TwinSnapshot, 'driver' | 'tick' | 'robot' | 'world' | 'disturbance'>;

/** Tries a state beside the twin: why it fails, or null. */
export type SnapshotTrials = (task: TrialTask) => Promise<string | null>;

/**
 * Simulated time that passes at most without a command, and after commands (s): all together take
 * the rigid-body engine a second. What fails later is the loop's to replace.
 */
const UNDISTURBED_S = 8;
const AFTER_COMMANDS_S = 1;
/** Ticks before a command, so that the arm moves, and between two breaks. */
const TICKS_BETWEEN = 25;

/** Holds the lock of a trial; no session has this token. */
const OPERATOR: Caller = { user_id: 1, token_id: Number.MIN_SAFE_INTEGER, role: 'admin' };

/** What is done with the state, each from its beginning: together they read all of its parts. */
function actsFor(caller: Caller): readonly (readonly Command[])[] {
  const pressed = { kind: 'estop', engaged: true } as const;
  const released = { kind: 'estop', engaged: false } as const;
  return [
    [],
    [{ kind: 'pause', caller }],
    [
      { kind: 'pause', caller },
      { kind: 'cancel', caller },
    ],
    [{ kind: 'abort_motion', caller }],
    [pressed, released, { kind: 'reset_errors', caller }],
    [
      { kind: 'stop_loop', caller },
      { kind: 'release_lock', caller },
    ],
    [{ kind: 'acknowledge_collision', caller }],
    [{ kind: 'power_cycle' }],
  ];
}

/** Throws in the tick or command after which a statement about state and motion does not hold. */
function monitor({ loop, robot }: RecordingReplay, feedback: Feedback): void {
  const onViolation = ({ statement, left, right }: InvariantViolation) => {
    throw new Error(`${statement}; ${left}, but ${right}`);
  };
  loop.subscribe(new InvariantMonitor({ robot, feedback, onViolation }));
}

/** Reads what services, streams and metrics read of a robot. Throws where a part is none. */
function read({ robot, loop }: RecordingReplay): void {
  new Date(loop.epoch_ms).toISOString();
  JSON.stringify([robot.snapshot(), robot.pausedMotion, robot.plannedPath]);
  const numbers = [...robot.restPose, ...robot.reference, robot.remainingMotion_s];
  if (!numbers.every(Number.isFinite)) throw new Error('a pose of the motion is not a number');
}

/** Plays the state from its beginning with some commands, at most to the end of its motion. */
function* play(
  replay: RecordingReplay,
  line: SnapshotLine,
  commands: readonly Command[],
): Generator<null> {
  const { loop, robot } = replay;
  const isOver = () => !robot.isMoving && robot.memory.activity === null;
  replay.restore(line);
  read(replay);
  loop.runTo(loop.tick + TICKS_BETWEEN, { jump: false, stop: () => false });
  if (robot.lockHolder === null) loop.apply({ kind: 'lock', caller: OPERATOR });
  for (const command of commands) {
    loop.apply(command);
    loop.runTo(loop.tick + TICKS_BETWEEN, { jump: false, stop: () => false });
    read(replay);
    yield null;
  }
  const left_s = commands.length === 0 ? UNDISTURBED_S : AFTER_COMMANDS_S;
  const end = loop.tick + left_s * TICKS_PER_S;
  while (loop.tick < end && !isOver()) {
    loop.runTo(Math.min(end, loop.tick + TICKS_BETWEEN), { jump: true, stop: isOver });
    yield null;
  }
  read(replay);
}

/** Plays the state once for each list of commands. */
function* playAll(replay: RecordingReplay, line: SnapshotLine): Generator<null> {
  const caller = line.robot.memory.lock?.holder ?? OPERATOR;
  for (const commands of actsFor(caller)) yield* play(replay, line, commands);
}

/**
 * Tries a state; the result is why it fails, or null. `inSlices` calls a step until it returns
 * something other than null. Rejects where the driver does not start.
 */
export async function trySnapshot(
  { driver, tick, robot, world, disturbance }: TrialTask,
  target: ReplayTarget,
  inSlices: (step: () => true | null) => Promise<true>,
): Promise<string | null> {
  const header: HeaderLine = {
    ...{ kind: 'head', tape: RECORDING_FORMAT, recorded_by: '', driver },
    physics: PHYSICS_FINGERPRINT,
  };
  const line: SnapshotLine = {
    ...{ kind: 'image', why: 'start', tick, left_tick: tick },
    ...{ robot, world, disturbance, loaded: robot.memory.loaded },
  };
  const feedback = await target.driver.start();
  try {
    const replay = new RecordingReplay(target, { header, start: line }, feedback);
    monitor(replay, feedback);
    const steps = playAll(replay, line);
    await inSlices(() => (steps.next().done ? true : null));
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await target.driver.stop();
  }
}
