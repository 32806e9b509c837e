/**
 * The file format of recordings: one JSON text per line. Inputs (snapshots, commands, actions)
 * suffice to replay a run; outputs (changes, marks) are compared with the replay. The keys of the
 * lines are part of the format. Decisions D38, D40.
 */

import { type ArmMark, otherArmProblem } from '../../arms/arm-mark.ts';
import type { DriverFaultState } from '../../bridge/fault-injecting-driver.ts';
import { documentKind, otherKindProblem, textKind } from '../../contract/document-kind.ts';
import type { ErrorName } from '../../contract/errors.ts';
import type { Command } from '../robot/commands.ts';
import type { RecordedToolpath } from '../robot/loaded-toolpath.ts';
import type { RobotStateSnapshot } from '../robot/state-snapshot.ts';
import type { WorldAction } from '../robot/world-actions.ts';
import { decodePlainData, encodePlainData } from './plain-data.ts';

/** Version of the file format. */
export const RECORDING_FORMAT = 2;

export interface HeaderLine {
  readonly kind: 'head';
  readonly tape: number;
  /** Product and version that recorded it. */
  readonly recorded_by: string;
  readonly driver: string;
  /** The arm; absent: the default one. */
  readonly arm?: ArmMark;
  /** Fingerprint of the physics that it was recorded with. */
  readonly physics: string;
}

/** Snapshot of robot and joints: at the start, at a restore, and periodically. */
export interface SnapshotLine {
  readonly kind: 'image';
  /** Tick before which it was taken. */
  readonly tick: number;
  /** Tick of the twin before a restore to this snapshot; otherwise equal to `tick`. */
  readonly left_tick: number;
  /** A replay restores `start` and `restore`, and ignores `periodic`. */
  readonly why: 'start' | 'restore' | 'periodic';
  readonly robot: RobotStateSnapshot;
  /** The loaded toolpath; `same`: as in the previous snapshot. */
  readonly loaded: RecordedToolpath | 'same' | null;
  readonly world: Uint8Array;
  readonly disturbance: DriverFaultState;
}

/** A command as a recording has it: the toolpath of `load` is planned again. */
export type RecordedCommand =
  | Exclude<Command, { kind: 'load' }>
  | (Omit<LoadCommand, 'toolpath'> & { readonly toolpath: RecordedToolpath });
type LoadCommand = Extract<Command, { kind: 'load' }>;

export interface CommandLine {
  readonly kind: 'command';
  readonly tick: number;
  readonly command: RecordedCommand;
  /** The refusal; null when the command was executed. */
  readonly refused: ErrorName | null;
}

export interface ActionLine {
  readonly kind: 'action';
  readonly tick: number;
  readonly action: WorldAction;
}

/** Discrete fields that changed at this tick. */
export interface ChangeLine {
  readonly kind: 'change';
  readonly tick: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Ticks between two marks of a recording, and of the digest (decision D40). */
export const MARK_TICKS = 250;

/** Fingerprints of all ticks since `from`, and the joints' values at `tick`. */
export interface MarkLine {
  readonly kind: 'mark';
  readonly from: number;
  readonly tick: number;
  /** Runs of equal ticks: length, fingerprint of the positions, of the velocities. */
  readonly runs: readonly number[];
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
}

export interface EndLine {
  readonly kind: 'end';
  readonly tick: number;
}

export type InputLine = SnapshotLine | CommandLine | ActionLine | EndLine;
export type OutputLine = ChangeLine | MarkLine;
export type RecordingLine = HeaderLine | InputLine | OutputLine;

/** A parsed recording. */
export interface ParsedRecording {
  readonly header: HeaderLine;
  readonly inputs: readonly InputLine[];
  readonly outputs: readonly OutputLine[];
  /** Tick of the last line. */
  readonly end_tick: number;
  /** Whether it breaks off: the twin was killed, or its disk was full. */
  readonly isCut: boolean;
}

/** Formats one line, without the line break. */
export function formatLine(line: RecordingLine): string {
  return encodePlainData(line);
}

/** What the first line of a recording or capture starts with. */
export const HEAD_START = '{"kind":"head"';

/** Why a text is no recording. */
function noRecording(text: string): Error {
  const otherKind = otherKindProblem(textKind(text), 'recording');
  return new Error(`this file ${otherKind ?? 'is not a recording of a twin'}`);
}

const KINDS: readonly string[] = ['image', 'command', 'action', 'change', 'mark', 'end'];

/** Number of ticks that a mark has fingerprints of. */
export function markedTicks({ runs }: MarkLine): number {
  return runs.reduce((sum, part, i) => (i % 3 === 0 ? sum + part : sum), 0);
}

/**
 * What is wrong with a line behind the mark or restore at tick `from`, or null. Each mark starts
 * where the one before ends, and the last one ends the recording: no tick is without a fingerprint.
 */
function lineProblem(line: RecordingLine, from: number): string | null {
  if (line.kind === 'head' || !KINDS.includes(line.kind)) {
    return `is of the unknown kind ${JSON.stringify(line.kind)}`;
  }
  const { tick } = line;
  if (!Number.isSafeInteger(tick)) return `has the tick ${JSON.stringify(tick)}`;
  if (line.kind === 'mark') {
    if (line.from !== from) return `starts at tick ${line.from}, the one before ends at ${from}`;
    const count = markedTicks(line);
    if (count !== tick - from) return `has ${count} fingerprints of ${tick - from} ticks`;
  }
  if (line.kind !== 'end' || tick === from) return null;
  return `ends the recording at tick ${tick}, its last mark at ${from}`;
}

/** Throws an Error with the first line that does not follow those before it. */
function requireComplete(lines: readonly RecordingLine[]): void {
  let from = 0;
  for (const [at, line] of lines.entries()) {
    const problem = lineProblem(line, from);
    if (problem !== null) {
      const cause = 'a line is missing or was changed';
      throw new Error(`line ${at + 2} of the recording, "${line.kind}", ${problem}: ${cause}`);
    }
    const isStart = line.kind === 'image' && line.why !== 'periodic';
    if (line.kind === 'mark' || isStart) from = line.tick;
  }
}

/**
 * Parses a recording; of one that breaks off, up to its last whole line. Throws an Error when the
 * text is invalid, of another format or of another arm, or when a line of it is missing.
 */
export function parseRecording(text: string): ParsedRecording {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = (whole || text).split('\n').filter((line) => line !== '');
  const parsed = lines.map((line, at) => {
    try {
      const value = decodePlainData(line) as RecordingLine;
      if (typeof value.kind === 'string') return value;
    } catch {
      // The error below names the line.
    }
    if (at === 0 && !line.startsWith(HEAD_START)) throw noRecording(text);
    throw new Error(`line ${at + 1} of the recording is damaged`);
  });
  const [head, ...rest] = parsed;
  if (head?.kind !== 'head' || documentKind(head) !== 'recording') throw noRecording(text);
  if (head.tape !== RECORDING_FORMAT) {
    throw new Error(
      `the recording has format ${head.tape}, but this version reads format ${RECORDING_FORMAT}; ` +
        `replay it with ${head.recorded_by}, which recorded it`,
    );
  }
  const otherArm = otherArmProblem(head.arm);
  if (otherArm !== null) throw new Error(`the recording ${otherArm}`);
  requireComplete(rest);
  const isOutput = (line: RecordingLine): line is OutputLine =>
    line.kind === 'change' || line.kind === 'mark';
  const isInput = (line: RecordingLine): line is InputLine =>
    !isOutput(line) && line.kind !== 'head';
  const last = rest.at(-1);
  const [inputs, outputs] = [rest.filter(isInput), rest.filter(isOutput)];
  const end_tick = last && last.kind !== 'head' ? last.tick : 0;
  return { header: head, inputs, outputs, end_tick, isCut: last?.kind !== 'end' };
}
