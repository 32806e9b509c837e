/**
 * One recording of a running twin, in memory or into a file: begun and ended at any time. In
 * memory it is bounded; when the room is used up it ends by itself and says so.
 */
import { limits } from '../../contract/limits.ts';
import type { Loop } from '../robot/loop.ts';
import { Recorder, type RecorderParts } from './recorder.ts';
import { TAPE_FORMAT, type TapeLine, writeLine } from './tape.ts';

export interface RecordingParts extends Omit<RecorderParts, 'write'> {
  readonly loop: Loop;
  readonly driver: string;
  /** Product and version, for the head. */
  readonly recorded_by: string;
}

/** Where lines go beside the memory. */
export type LineSink = (line: string) => void;

export class Recording {
  private readonly lines: string[] = [];
  private readonly sink: LineSink | null;
  private readonly recorder: Recorder;
  private readonly unfollow: () => void;
  private isEnding = false;
  /** Bytes written so far, about. */
  bytes = 0;
  ended = false;
  /** True when it ended because its room was used up. */
  truncated = false;

  constructor(parts: RecordingParts, sink: LineSink | null = null) {
    const { loop, driver, recorded_by } = parts;
    this.sink = sink;
    this.recorder = new Recorder({ ...parts, write: (line) => this.write(line) });
    this.write({ kind: 'head', tape: TAPE_FORMAT, recorded_by, driver });
    this.recorder.begin(loop.tick);
    this.unfollow = loop.follow(this.recorder);
  }

  private write(line: TapeLine): void {
    const written = `${writeLine(line)}\n`;
    this.bytes += written.length;
    if (this.sink) this.sink(written);
    else this.lines.push(written);
    if (this.sink || this.isEnding || this.bytes < limits.recording_bytes) return;
    this.truncated = true;
    this.end();
  }

  /** Ends it; what was recorded stays readable. Harmless when it has ended. */
  end(): void {
    if (this.ended || this.isEnding) return;
    this.isEnding = true;
    this.unfollow();
    this.recorder.end();
    this.ended = true;
  }

  /** The tape so far; empty where a sink took it. */
  get text(): string {
    return this.lines.join('');
  }
}
