/**
 * The form of a recording: lines of plain data, one JSON text each. What was done to the twin
 * (images, commands, actions) is enough to repeat it; what it gave (changes, marks) is what a
 * repetition is held against. Decisions D38, D40.
 */
import type { DisturbanceMemory } from '../../bridge/disturbed-arm.ts';
import type { ErrorName } from '../../contract/errors.ts';
import type { Command, LoadedToolpath } from '../robot/commands.ts';
import type { RobotImage } from '../robot/image.ts';
import type { WorldAction } from '../robot/world-actions.ts';
import { decodePlain, encodePlain } from './plain-data.ts';

/** What a tape can be read by. */
export const TAPE_FORMAT = 1;

export interface TapeHead {
  readonly kind: 'head';
  readonly tape: typeof TAPE_FORMAT;
  /** Product and version that recorded it. */
  readonly recorded_by: string;
  readonly driver: string;
}

/** Robot and joints at a tick: where a tape begins, was put back to, and in between. */
export interface ImageLine {
  readonly kind: 'image';
  /** The tick before which it was taken. */
  readonly tick: number;
  /** The tick at which the twin stood when it was put back to this; else the same. */
  readonly left_tick: number;
  /** A repetition puts the twin to `start` and `restore`, and passes by the others. */
  readonly why: 'start' | 'restore' | 'periodic';
  readonly robot: RobotImage;
  /** The loaded toolpath, `same` as in the image before. */
  readonly loaded: LoadedToolpath | 'same' | null;
  readonly world: Uint8Array;
  readonly disturbance: DisturbanceMemory;
}

export interface CommandLine {
  readonly kind: 'command';
  readonly tick: number;
  readonly command: Command;
  /** Why it was not done; null when it was. */
  readonly refused: ErrorName | null;
}

export interface ActionLine {
  readonly kind: 'action';
  readonly tick: number;
  readonly action: WorldAction;
}

/** Discrete fields that have other values from this tick on. */
export interface ChangeLine {
  readonly kind: 'change';
  readonly tick: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Fingerprints of every tick since the tick `from`, and the joints in full at this one. */
export interface MarkLine {
  readonly kind: 'mark';
  readonly from: number;
  readonly tick: number;
  /** Runs of equal ticks: how many, fingerprint of the angles, of the velocities. */
  readonly runs: readonly number[];
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
}

export interface EndLine {
  readonly kind: 'end';
  readonly tick: number;
}

export type InputLine = ImageLine | CommandLine | ActionLine | EndLine;
export type OutputLine = ChangeLine | MarkLine;
export type TapeLine = TapeHead | InputLine | OutputLine;

/** A recording, read. */
export interface Tape {
  readonly head: TapeHead;
  readonly inputs: readonly InputLine[];
  readonly outputs: readonly OutputLine[];
}

/** One line of a tape as text, without its end. */
export function writeLine(line: TapeLine): string {
  return encodePlain(line);
}

/** Reads a tape. Throws a sentence when the text is none, or of another format. */
export function readTape(text: string): Tape {
  const lines = text.split('\n').filter((line) => line !== '');
  const parsed = lines.map((line, at) => {
    try {
      return decodePlain(line) as TapeLine;
    } catch {
      throw new Error(`line ${at + 1} of the tape is damaged`);
    }
  });
  const [head, ...rest] = parsed;
  if (head?.kind !== 'head') throw new Error('this is no recording of a twin');
  if (head.tape !== TAPE_FORMAT) throw new Error(`format ${head.tape} of recordings is unknown`);
  const isOutput = (line: TapeLine): line is OutputLine =>
    line.kind === 'change' || line.kind === 'mark';
  const isInput = (line: TapeLine): line is InputLine => !isOutput(line) && line.kind !== 'head';
  return { head, inputs: rest.filter(isInput), outputs: rest.filter(isOutput) };
}
