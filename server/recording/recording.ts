/**
 * A recording of a running twin, in memory or to a file, started and stopped at any time. A
 * recording in memory stops by itself at its size limit and is then marked as truncated.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { limits } from '../../contract/limits.ts';
import { PHYSICS_FINGERPRINT } from '../../physics/arm/arm-model.ts';
import type { ControlLoop } from '../robot/loop.ts';
import { Recorder, type RecorderParts } from './recorder.ts';
import { formatLine, RECORDING_FORMAT, type RecordingLine } from './recording-format.ts';

/** A recording file that is written line by line, for long recordings. */
interface RecordingFile {
  readonly write: LineSink;
  /** Resolves when all lines are written; rejects with the first write error. */
  close(): Promise<void>;
}

/** Opens a recording file and overwrites an existing one; rejects when it cannot be opened. */
async function openRecordingFile(path: string): Promise<RecordingFile> {
  const stream = createWriteStream(path, { encoding: 'utf8', mode: 0o600 });
  let failure: Error | null = null;
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${path} cannot be recorded into: its folder does not exist`);
  });
  stream.on('error', (error) => {
    failure = error;
  });
  return {
    write: (line) => void stream.write(line),
    async close() {
      stream.end();
      if (!failure) await once(stream, 'close');
      if (failure) throw failure;
    },
  };
}

/** Starts recording to a file; returns the function that stops and completes it. */
export async function recordToFile(
  path: string,
  parts: RecordingParts,
): Promise<() => Promise<void>> {
  const file = await openRecordingFile(path);
  const recording = new Recording(parts, file.write);
  return async () => {
    recording.stop();
    await file.close();
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
}
