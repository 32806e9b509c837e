/**
 * Tries the state of a snapshot file, which may be made by hand, on a twin of its own: ticks,
 * and the commands that read what a tick alone does not. The live twin takes no part in it.
 */

import type { Feedback } from '../../../bridge/arm-driver.ts';
import { PHYSICS_FINGERPRINT } from '../../../physics/arm/arm-model.ts';
import { TICKS_PER_S } from '../../clock/twin-time.ts';
import { planTasks } from '../../planning/plan-tasks.ts';
import {
  type HeaderLine,
  RECORDING_FORMAT,
  type SnapshotLine,
} from '../../recording/recording-format.ts';
import { RecordingReplay, type ReplayTarget } from '../../recording/replay.ts';
import type { Caller } from '../../robot/caller.ts';
import type { Command } from '../../robot/commands.ts';
import { InvariantMonitor } from '../../robot/invariant-monitor.ts';
import type { InvariantViolation } from '../../robot/invariant-violations.ts';
import type { Robot } from '../../robot/robot.ts';
import type { KeptSnapshot } from './kept-snapshot.ts';
import { RobotStatus, type StatusCounts } from './robot-status.ts';

/** Plain data, because another process receives it. */
export type SnapshotTrialTask = Pick<
  KeptSnapshot,
  'driver' | 'tick' | 'robot' | 'world' | 'disturbance' | 'status' | 'loaded'
>;

/** Tries a state beside the twin: why it fails, or null. */
export type SnapshotTrials = (task: SnapshotTrialTask) => Promise<string | null>;

/**
 * Simulated time that passes at most without a command, and after commands (s): all together take
 * the rigid-body engine a second. What fails later is the loop's to replace.
 */
const UNDISTURBED_S = 8;
const AFTER_COMMANDS_S = 1;
/** Ticks before a command, so that the arm moves, and after it. */
const TICKS_BETWEEN = 25;

/** Joint angles of a short motion, as a share of those where it starts. */
const NEAR_START = 0.98;

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

/** Reads what services, streams and metrics read of a robot. Throws where a part is none. */
function read({ robot, loop }: RecordingReplay, status: RobotStatus): void {
  new Date(loop.epoch_ms).toISOString();
  JSON.stringify([robot.snapshot(), robot.pausedMotion, robot.plannedPath, status.status()]);
  const numbers = [...robot.restPose, ...robot.reference, robot.remainingMotion_s];
  if (!numbers.every(Number.isFinite)) throw new Error('a pose of the motion is not a number');
  plan(robot);
}

/** Plans what calls plan from a robot: a motion from rest, and the rest of a paused one. */
function plan({ memory, restPose, pausedMotion }: Robot): void {
  const { timing, loaded } = memory;
  const start = Float64Array.from(restPose);
  const joints = start.map((angle) => angle * NEAR_START);
  const payload = loaded?.program.payload_kg ?? 0;
  planTasks.goTo({ mode: 'automatic', start, joints, payload, timing, range: null });
  if (pausedMotion) planTasks.resume(pausedMotion);
}

/** A robot to try a state on. */
interface Trial {
  readonly replay: RecordingReplay;
  readonly status: RobotStatus;
  readonly line: SnapshotLine;
  readonly counts: StatusCounts;
}

/** Plays the state from its beginning with some commands, at most to the end of its motion. */
function play({ replay, status, line, counts }: Trial, commands: readonly Command[]): void {
  const { loop, robot } = replay;
  const isOver = () => !robot.isMoving && robot.memory.activity === null;
  replay.restore(line);
  status.restore(counts, 0);
  read(replay, status);
  loop.runTo(loop.tick + TICKS_BETWEEN, { jump: false, stop: () => false });
  if (robot.lockHolder === null) loop.apply({ kind: 'lock', caller: OPERATOR });
  for (const command of commands) {
    loop.apply(command);
    loop.runTo(loop.tick + TICKS_BETWEEN, { jump: false, stop: () => false });
    read(replay, status);
  }
  const left_s = commands.length === 0 ? UNDISTURBED_S : AFTER_COMMANDS_S;
  const end = loop.tick + left_s * TICKS_PER_S;
  loop.runTo(end, { jump: true, stop: isOver });
  read(replay, status);
}

/**
 * The trial of a state, with what observes the live robot: a statement about state and motion that
 * does not hold throws in its tick or command.
 */
function createTrial(replay: RecordingReplay, line: SnapshotLine, feedback: Feedback) {
  const { loop, robot } = replay;
  const status = new RobotStatus(robot, (read) => read());
  const onViolation = ({ statement, left, right }: InvariantViolation) => {
    throw new Error(`${statement}; ${left}, but ${right}`);
  };
  loop.subscribe(status);
  loop.subscribe(new InvariantMonitor({ robot, feedback, onViolation }));
  return { replay, status, line };
}

/** Tries a state; the result is why it fails, or null. Rejects where the driver does not start. */
export async function trySnapshot(
  { driver, tick, robot, world, disturbance, status: counts, loaded }: SnapshotTrialTask,
  target: ReplayTarget,
): Promise<string | null> {
  const header: HeaderLine = {
    ...{ kind: 'head', tape: RECORDING_FORMAT, recorded_by: '', driver },
    physics: PHYSICS_FINGERPRINT,
  };
  const line: SnapshotLine = {
    ...{ kind: 'image', why: 'start', tick, left_tick: tick },
    ...{ robot, world, disturbance, loaded },
  };
  const feedback = await target.driver.start();
  try {
    const replay = new RecordingReplay(target, { header, start: line }, feedback);
    const trial = { ...createTrial(replay, line, feedback), counts };
    const caller = line.robot.memory.lock?.holder ?? OPERATOR;
    for (const commands of actsFor(caller)) play(trial, commands);
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await target.driver.stop();
  }
}
