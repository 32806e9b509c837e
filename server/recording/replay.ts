/**
 * Replays a recording: a robot on a driver of the same name executes the same commands at the same
 * ticks, as fast as possible, without the rest of the server.
 */
import type { ArmDriver } from '../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { DriverFaults } from '../../bridge/fault-injecting-driver.ts';
import { PHYSICS_FINGERPRINT } from '../../physics/arm/arm-model.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { Timers } from '../clock/timers.ts';
import { plannedToolpath } from '../planning/recorded-toolpath.ts';
import type { Command } from '../robot/commands.ts';
import type { LoadedToolpath, RecordedToolpath } from '../robot/loaded-toolpath.ts';
import { ControlLoop } from '../robot/loop.ts';
import type { LoopListener } from '../robot/loop-listener.ts';
import { Robot } from '../robot/robot.ts';
import { type Divergence, firstDivergence } from './divergence.ts';
import { Recorder } from './recorder.ts';
import {
  type CommandLine,
  type HeaderLine,
  type InputLine,
  markedTicks,
  type OutputLine,
  type ParsedRecording,
  type SnapshotLine,
} from './recording-format.ts';

/** The target of a replay: a driver that has not started, and its simulated world. */
export interface ReplayTarget {
  readonly driver: ArmDriver & DriverFaults;
  readonly world: ArmWorld;
}

export interface ReplayResult {
  /** Number of replayed ticks. */
  readonly ticks: number;
  /** Number of ticks whose joints were compared: those that the marks of the recording cover. */
  readonly compared: number;
  readonly divergence: Divergence | null;
}

const never = () => false;

/** Ticks (20 s) after which the replay waits for its listeners. */
const TICKS_BETWEEN_BREAKS = 5000;

/** A listener of a replay's loop; the replay waits for it between two stretches. */
export interface ReplayListener extends LoopListener {
  drained?(): Promise<void>;
}

/** A robot on a driver that repeats the inputs of a recording. */
export class RecordingReplay {
  readonly loop: ControlLoop;
  readonly robot: Robot;
  readonly outputs: OutputLine[] = [];
  readonly recorder: Recorder;
  refusal: Divergence | null = null;
  private readonly target: ReplayTarget;
  private loaded: LoadedToolpath | null = null;
  /**
   * Programs by the hash of their toolpath and the SHA-256 of their numbers: toolpaths that differ
   * in a payload or a condition alone have the same numbers.
   */
  private readonly programs = new Map<string, Program>();

  /** The recording's version, where it has other physics: its snapshots do not fit this arm. */
  private readonly foreign: string | null;

  constructor(
    stage: ReplayTarget,
    { header, start }: { readonly header: HeaderLine; readonly start: SnapshotLine },
    feedback: LoopFeedback,
  ) {
    const { driver, world } = stage;
    const { epoch_ms, timezone, seed } = start.robot;
    this.target = stage;
    this.foreign = isOfOtherPhysics(header) ? header.recorded_by : null;
    const recover = () => driver.recover();
    this.robot = new Robot({ feedback, epoch_ms, timezone, seed, recover });
    this.recorder = new Recorder({
      robot: this.robot,
      world,
      driverFaults: driver,
      write: (line) => {
        if (line.kind === 'change' || line.kind === 'mark') this.outputs.push(line);
      },
    });
    const timers = new Timers();
    const { robot } = this;
    this.loop = new ControlLoop({
      robot,
      driver,
      worldPorts: { world, driverFaults: driver },
      timers,
      feedback,
      epoch_ms,
      listeners: [],
    });
  }

  private load({ loaded, tick }: SnapshotLine): void {
    if (loaded !== 'same') this.loaded = loaded && this.planned(loaded, tick);
  }

  /** A stored toolpath with its program; each program is planned once. */
  private planned(stored: RecordedToolpath, tick: number): LoadedToolpath {
    const recorded = stored.source.program_sha256;
    const key = `${stored.hash} ${recorded}`;
    const known = this.programs.get(key);
    if (known) return { ...stored, program: known };
    const planned = plannedToolpath(stored);
    this.programs.set(key, planned.program);
    const replayed = planned.source.program_sha256;
    if (replayed !== recorded) {
      this.refusal ??= {
        tick,
        field: `SHA-256 of the plan of “${stored.name}”`,
        recorded,
        replayed,
      };
    }
    return planned;
  }

  private plannedCommand({ command, tick }: CommandLine): Command {
    if (command.kind !== 'load') return command;
    return { ...command, toolpath: this.planned(command.toolpath, tick) };
  }

  /** Restores a snapshot. */
  restore(line: SnapshotLine): void {
    const { world, driver } = this.target;
    this.load(line);
    if (this.foreign !== null) {
      this.placeAtRest(line, this.foreign);
      return;
    }
    const { robot } = line;
    world.restore(line.world, line.tick);
    driver.restore(line.disturbance);
    this.loop.restore({ ...robot, memory: { ...robot.memory, loaded: this.loaded } }, line.tick);
  }

  /**
   * Starts from the pose and the discrete state of a snapshot with other physics. What the robot
   * did not know then keeps its default.
   */
  private placeAtRest(line: SnapshotLine, version: string): void {
    const { memory, mover, ...clock } = line.robot;
    if (memory.activity !== null || mover.motion !== null) {
      throw new Error(
        `version ${version} recorded a snapshot of the moving arm at tick ${line.tick}; ` +
          'replay it with that version',
      );
    }
    const fresh = this.robot.save(line.tick);
    const known = Object.entries(memory).filter(([name]) => name in fresh.memory);
    this.target.world.place(mover.rest);
    this.loop.restore(
      {
        ...fresh,
        ...clock,
        memory: { ...fresh.memory, ...Object.fromEntries(known), loaded: this.loaded },
        mover: { ...fresh.mover, rest: mover.rest, before: mover.rest },
      },
      line.tick,
    );
  }

  /** Advances to a tick, waiting for the listeners. */
  async runTo(until: number, drained: () => Promise<unknown>): Promise<void> {
    const { loop } = this;
    while (loop.tick < until) {
      const end = Math.min(until, loop.tick + TICKS_BETWEEN_BREAKS);
      loop.runTo(end, { jump: true, stop: never });
      await drained();
    }
  }

  /** Advances to the line's tick and executes the line. */
  async runLine(line: InputLine, drained: () => Promise<unknown>): Promise<void> {
    const { loop } = this;
    await this.runTo(line.kind === 'image' ? line.left_tick : line.tick, drained);
    if (line.kind === 'image') {
      if (line.why === 'restore') this.restore(line);
      else this.load(line);
    } else if (line.kind === 'action') loop.applyWorldAction(line.action);
    else if (line.kind === 'command') {
      const replayed = loop.apply(this.plannedCommand(line))?.refused ?? null;
      if (replayed === line.refused) return;
      const { tick, command, refused } = line;
      this.refusal ??= { tick, field: `reply to ${command.kind}`, recorded: refused, replayed };
    }
  }
}

/** True when the positions of the recording are of an arm with other physics than this one. */
export function isOfOtherPhysics({ physics }: HeaderLine): boolean {
  return physics !== PHYSICS_FINGERPRINT;
}

type LoopFeedback = Awaited<ReturnType<ArmDriver['start']>>;

/** The earlier of two divergences. */
function earliest(a: Divergence | null, b: Divergence | null): Divergence | null {
  if (!a || !b) return a ?? b;
  return a.tick <= b.tick ? a : b;
}

/**
 * Replays a recording, of one that breaks off as far as it goes, and compares the outputs. The
 * listeners subscribe to the replay's control loop. Rejects when the driver does not start.
 */
export async function replayRecording(
  recording: ParsedRecording,
  target: ReplayTarget,
  listeners: (robot: Robot, epoch_ms: number) => readonly ReplayListener[] = () => [],
): Promise<ReplayResult> {
  const [start, ...rest] = recording.inputs;
  if (start?.kind !== 'image')
    throw new Error('the recording does not start with a snapshot of the twin');
  const { header } = recording;
  const replay = new RecordingReplay(target, { header, start }, await target.driver.start());
  const { loop, recorder, outputs } = replay;
  replay.restore(start);
  recorder.start(start.tick);
  loop.subscribe(recorder);
  const { epoch_ms } = start.robot;
  const subscribed = listeners(replay.robot, epoch_ms);
  for (const listener of subscribed) loop.subscribe(listener);
  const drained = () => Promise.all(subscribed.map((listener) => listener.drained?.()));
  for (const line of rest) await replay.runLine(line, drained);
  await replay.runTo(recording.end_tick, drained);
  recorder.finish();
  await target.driver.stop();
  const divergence = earliest(replay.refusal, firstDivergence(recording, outputs));
  const compared = recording.outputs.reduce(
    (sum, line) => sum + (line.kind === 'mark' ? markedTicks(line) : 0),
    0,
  );
  return { ticks: loop.tick - start.tick, compared, divergence };
}
