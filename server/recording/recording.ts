/**
 * A recording of a running twin, in memory or to a file, started and stopped at any time. A
 * recording in memory stops by itself at its size limit and is then marked as truncated. Also: the
 * recorder of one run.
 */

import { once } from 'node:events';
import { createWriteStream, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Feedback } from '../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { DriverFaults } from '../../bridge/fault-injecting-driver.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { PHYSICS_FINGERPRINT } from '../../physics/arm/arm-model.ts';
import { recordedToolpath } from '../planning/plan-tasks.ts';
import type { Command, LoadedToolpath } from '../robot/commands.ts';
import type { ControlLoop, LoopListener, WorldAction } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import { FolderInUse, FolderLock, removeLock } from '../store/store-open.ts';
import { TickRuns } from './comparison.ts';
import {
  changedFields,
  type DiscreteFields,
  discreteFields,
  formatLine,
  RECORDING_FORMAT,
  type RecordedCommand,
  type RecordingLine,
  type SnapshotLine,
} from './recording-format.ts';

/**
 * Records a twin's inputs and outputs as recording lines. It subscribes to the control loop and
 * does not affect the twin.
 */

/** Ticks between two marks (decision D40). */
const MARK_TICKS = 250;
/** Characters in a piece of a reply: to look for escapes in it takes half a millisecond. */
const PIECE_LENGTH = 64 * 1024;
/** Ticks between two periodic snapshots: one minute. */
const SNAPSHOT_TICKS = 15_000;

/** A command as recordings have it. */
export function recordedCommand(command: Command): RecordedCommand {
  if (command.kind !== 'load') return command;
  return { ...command, toolpath: recordedToolpath(command.toolpath) };
}

interface RecorderParts {
  readonly robot: Robot;
  readonly world: ArmWorld;
  readonly driverFaults: DriverFaults;
  readonly write: (line: RecordingLine) => void;
}

export class Recorder implements LoopListener {
  private readonly parts: RecorderParts;
  private readonly runs = new TickRuns();
  private fields: DiscreteFields = {};
  private loaded: LoadedToolpath | null | undefined = undefined;
  private tick = 0;
  /** First tick that no mark covers yet. */
  private from = 0;
  private snapshot_tick = 0;
  /** Feedback of the last tick, for the next mark. */
  private feedback: Feedback | null = null;

  constructor(parts: RecorderParts) {
    this.parts = parts;
  }

  /** Starts the recording before the tick `tick`. */
  start(tick: number): void {
    this.writeSnapshot('start', tick);
  }

  private writeSnapshot(why: SnapshotLine['why'], tick: number): void {
    const { robot: source, world, driverFaults, write } = this.parts;
    const snapshot = source.save(tick);
    const { loaded } = snapshot.memory;
    const robot = { ...snapshot, memory: { ...snapshot.memory, loaded: null } };
    const same = loaded === this.loaded && loaded !== null;
    const [bytes, memory] = [world.snapshot(), driverFaults.save()];
    write({
      kind: 'image',
      tick,
      left_tick: why === 'restore' ? this.tick : tick,
      why,
      robot,
      loaded: same ? 'same' : loaded && recordedToolpath(loaded),
      world: bytes,
      disturbance: memory,
    });
    this.loaded = loaded;
    this.snapshot_tick = tick;
    if (why === 'periodic') return;
    this.tick = tick;
    this.from = tick;
    this.fields = discreteFields(source.memory);
  }

  onRestore(tick: number): void {
    this.writeMark();
    this.writeSnapshot('restore', tick);
  }

  onCommand(command: Command, refusal: Refusal | null, tick: number): void {
    const refused = refusal?.refused ?? null;
    this.parts.write({ kind: 'command', tick, command: recordedCommand(command), refused });
    this.writeChange(tick);
  }

  onAction(action: WorldAction, tick: number): void {
    this.parts.write({ kind: 'action', tick, action });
  }

  onTick(feedback: Feedback, tick: number): void {
    this.writeChange(tick);
    const crossed = Math.floor(tick / MARK_TICKS) > Math.floor(this.tick / MARK_TICKS);
    const cell = this.parts.world.cell?.states.memory ?? null;
    this.runs.record(feedback, tick - this.tick, cell);
    this.tick = tick;
    this.feedback = feedback;
    if (!crossed || this.runs.still) return;
    this.writeMark();
    if (tick - this.snapshot_tick >= SNAPSHOT_TICKS) this.writeSnapshot('periodic', tick);
  }

  private writeChange(tick: number): void {
    const now = discreteFields(this.parts.robot.memory);
    const fields = changedFields(this.fields, now);
    if (!fields) return;
    this.fields = now;
    this.parts.write({ kind: 'change', tick, fields });
  }

  private writeMark(): void {
    const { feedback, tick } = this;
    if (!feedback) return;
    this.parts.write({
      kind: 'mark',
      from: this.from,
      tick,
      runs: this.runs.take(),
      position_rad: Float64Array.from(feedback.position_rad),
      velocity_rad_s: Float64Array.from(feedback.velocity_rad_s),
    });
    this.feedback = null;
    this.from = tick;
  }

  /** Writes the last lines. */
  finish(): void {
    this.writeMark();
    this.parts.write({ kind: 'end', tick: this.tick });
  }
}

/** Text that may wait for the disk of a recording (bytes). */
const WAITING_BYTES = 64 * 1024 * 1024;

/** A recording file that is written line by line, for long recordings. */
interface RecordingFile {
  readonly write: LineSink;
  /** Resolves when all lines are written; rejects with the first write error. */
  close(): Promise<void>;
}

/** Opens a recording file and overwrites an existing one; rejects when it cannot be opened. */
async function openRecordingFile(
  path: string,
  onFailure: (reason: string) => void,
): Promise<RecordingFile> {
  const stream = createWriteStream(path, { encoding: 'utf8', mode: 0o600 });
  let failure: Error | null = null;
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    const reason = existsSync(dirname(path)) ? 'takes no new files' : 'does not exist';
    throw new Error(`${path} cannot be recorded into: its folder ${reason}`);
  });
  const fail = (reason: string) => {
    if (failure) return;
    failure = new Error(`${path} cannot be recorded into: ${reason}`);
    onFailure(`The recording ${path} breaks off: ${reason}`);
  };
  stream.on('error', ({ message }) => fail(message));
  return {
    write(line) {
      if (stream.writableLength > WAITING_BYTES) fail('its disk does not answer');
      if (!failure) stream.write(line);
    },
    async close() {
      if (failure) stream.destroy();
      else {
        stream.end();
        await once(stream, 'close').catch(() => {});
      }
      if (failure) throw failure;
    },
  };
}

/** The file that a path leads to, also over links and where it does not exist yet. */
function fileAt(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}

/**
 * Keeps other recordings out of a file: two would destroy each other's lines. Its lock is
 * that of a data folder, in a folder beside the file; returns the release. Devices may be shared,
 * and a folder that takes no lock is left to the error of the file, if there is one.
 */
export async function lockFile(path: string, flag: string): Promise<() => Promise<void>> {
  const none = async () => {};
  const isDevice = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  if (isDevice || !existsSync(dirname(resolve(path)))) return none;
  const folder = `${fileAt(path)}.lock`;
  try {
    const lock = await FolderLock.acquire(folder);
    return () => removeLock(folder, lock);
  } catch (error) {
    if (!(error instanceof FolderInUse)) return none;
    throw new Error(
      `${path} is being recorded into by ${error.holder}. ` +
        `Stop it, or choose another file with ${flag}.`,
    );
  }
}

/**
 * Starts recording to a file; returns the function that stops and completes it. `onFailure` hears
 * once why the file is written no more.
 */
export async function recordToFile(
  path: string,
  parts: RecordingParts,
  onFailure: (reason: string) => void = () => {},
): Promise<() => Promise<void>> {
  const unlock = await lockFile(path, '--record');
  const file = await openRecordingFile(path, onFailure).catch(async (error: unknown) => {
    await unlock();
    throw error;
  });
  const recording = new Recording(parts, file.write);
  return async () => {
    recording.stop();
    await file.close().finally(unlock);
  };
}

export interface RecordingParts extends Omit<RecorderParts, 'write'> {
  readonly loop: ControlLoop;
  readonly driver: string;
  /** Product and version, for the header. */
  readonly recorded_by: string;
}

/** Receives the lines in place of the memory. */
type LineSink = (line: string) => void;

export class Recording {
  private readonly lines: string[] = [];
  private readonly sink: LineSink | null;
  private readonly recorder: Recorder;
  private readonly unsubscribe: () => void;
  private isStopping = false;
  /** Approximate size (bytes). */
  bytes = 0;
  stopped = false;
  /** True when it stopped at the size limit. */
  truncated = false;

  constructor(parts: RecordingParts, sink: LineSink | null = null) {
    const { loop, driver, recorded_by } = parts;
    this.sink = sink;
    this.recorder = new Recorder({ ...parts, write: (line) => this.write(line) });
    this.write({
      kind: 'head',
      tape: RECORDING_FORMAT,
      recorded_by,
      driver,
      physics: PHYSICS_FINGERPRINT,
    });
    this.recorder.start(loop.tick);
    this.unsubscribe = loop.subscribe(this.recorder);
  }

  private write(line: RecordingLine): void {
    const written = `${formatLine(line)}\n`;
    this.bytes += written.length;
    if (this.sink) this.sink(written);
    else this.lines.push(written);
    if (this.sink || this.isStopping || this.bytes < limits.recording_bytes) return;
    this.truncated = true;
    this.stop();
  }

  /** Stops; the recorded text stays readable. Idempotent. */
  stop(): void {
    if (this.stopped || this.isStopping) return;
    this.isStopping = true;
    this.unsubscribe();
    this.recorder.finish();
    this.stopped = true;
  }

  /** The recorded text; empty with a sink. */
  get text(): string {
    return this.lines.join('');
  }

  /** `{"tape": …}` with the recorded text as JSON, in pieces of limited length. */
  *jsonPieces(): Generator<string> {
    yield '{"tape":"';
    let piece = '';
    for (const line of this.lines) {
      piece += line;
      let from = 0;
      // A character of two units that is cut apart is escaped, and whole again when it is read.
      for (; piece.length - from >= PIECE_LENGTH; from += PIECE_LENGTH) {
        yield JSON.stringify(piece.slice(from, from + PIECE_LENGTH)).slice(1, -1);
      }
      piece = piece.slice(from);
    }
    yield `${JSON.stringify(piece).slice(1)}}`;
  }
}
