import { ARM_MARK } from '../../arms/arm-mark.ts';
import { limits } from '../../contract/limits.ts';
import { PHYSICS_FINGERPRINT } from '../../physics/arm/arm-model.ts';
import type { ControlLoop } from '../robot/loop.ts';
import { Recorder, type RecorderParts } from './recorder.ts';
import { formatLine, RECORDING_FORMAT, type RecordingLine } from './recording-format.ts';

/** Characters in a piece of a reply: to look for escapes in it takes half a millisecond. */
const PIECE_LENGTH = 64 * 1024;

export interface RecordingParts extends Omit<RecorderParts, 'write'> {
  readonly loop: ControlLoop;
  readonly driver: string;
  /** Product and version, for the header. */
  readonly recorded_by: string;
}

/** Receives the lines in place of the memory. */
export type LineSink = (line: string) => void;

/**
 * A recording of a running twin, in memory or to a file, started and stopped at any time. A
 * recording in memory stops by itself at its size limit and is then marked as truncated.
 */
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
      ...ARM_MARK,
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
