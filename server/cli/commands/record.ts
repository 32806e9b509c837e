/**
 * `armtwin record URL --token … --out FILE`: records what an arm publishes, by its stream or by
 * snapshots, into a capture file for `armtwin fit`. Calls measure the clocks of arm and host
 * meanwhile; what is lost is written down. It changes nothing on the arm and takes no lock. Exits
 * with 0, with 1 when nothing was recorded, with 2 when the arm or the file could not be opened.
 */

import { once } from 'node:events';
import { createWriteStream, statSync, type WriteStream } from 'node:fs';
import { systemClock } from '../../clock/wall-clock.ts';
import { readCapture } from '../../identify/capture-reader.ts';
import { captureSummary } from '../../identify/capture-summary.ts';
import { lockFile } from '../../recording/file-lock.ts';
import type { CommandOutput } from '../command-output.ts';
import { tryWriting } from '../result-files.ts';
import { startupErrorText } from '../startup-errors.ts';
import { ArmRecorder } from './arm-recorder.ts';
import { shownText } from './shown-text.ts';

export interface RecordFlags {
  readonly token?: string;
  readonly out?: string;
  /** How long to record (s); until a signal without it. */
  readonly for?: number;
  /** Snapshots a second, in place of the stream. */
  readonly snapshots?: number;
}

/** A file that is opened for its first line: an arm that cannot be recorded replaces no file. */
function captureFile(path: string) {
  let file: WriteStream | null = null;
  let failure: Error | null = null;
  const open = () => {
    file = createWriteStream(path, { mode: 0o600 });
    file.on('error', (error) => {
      failure = error;
    });
    return file;
  };
  return {
    /** Why the file cannot be written any further, or null. */
    get failure(): Error | null {
      return failure;
    },
    write(line: object): void {
      (file ?? open()).write(`${JSON.stringify(line)}\n`);
    },
    /** Resolves when all lines are written, or the file has failed. */
    async close(): Promise<void> {
      if (!file || failure) return;
      file.end();
      // The failure is kept above.
      await once(file, 'close').catch(() => {});
    },
  };
}

/** Why `armtwin fit` would refuse a capture, or null. */
export async function fitRefusal(path: string): Promise<string | null> {
  try {
    await readCapture(path, () => {
      throw new Error('is not a capture');
    });
    return null;
  } catch (error) {
    return startupErrorText(error);
  }
}

/** Runs the command until its time is over or `signal` aborts; returns the exit code. */
export async function runRecord(
  url: string,
  flags: RecordFlags,
  output: CommandOutput & { readonly signal: AbortSignal },
): Promise<number> {
  const { out: path = '' } = flags;
  let unlock: () => Promise<void>;
  try {
    tryWriting(path);
    unlock = await lockFile(path, '--out');
  } catch (error) {
    output.err.write(`Cannot write ${path}: ${startupErrorText(error)}\n`);
    return 2;
  }
  return recordInto(url, flags, output).finally(unlock);
}

async function recordInto(
  url: string,
  { token = '', out: path = '', for: limit_s = Number.POSITIVE_INFINITY, snapshots }: RecordFlags,
  { out, err, signal }: CommandOutput & { readonly signal: AbortSignal },
): Promise<number> {
  const file = captureFile(path);
  const recorder = new ArmRecorder(url, token, (line) => file.write(line));
  try {
    await recorder.open(url, snapshots === undefined ? 'stream' : 'snapshots');
  } catch (error) {
    err.write(`Cannot record ${url}: ${shownText(startupErrorText(error), [token])}\n`);
    await file.close();
    return 2;
  }
  const end_ms = systemClock.now_ms() + 1000 * limit_s;
  const isOver = () => signal.aborted || file.failure !== null || systemClock.now_ms() >= end_ms;
  if (snapshots === undefined) await recorder.followStream(isOver);
  else await recorder.takeSnapshots(snapshots, isOver);
  const end = recorder.finish();
  await file.close();
  const { failure } = file;
  if (failure) err.write(`Cannot write ${path}: ${startupErrorText(failure)}\n`);
  if (recorder.ended !== null) err.write(`The recording ended early: ${recorder.ended}\n`);
  out.write(`${captureSummary(recorder, end)}\n`);
  if (failure) return 2;
  const written = statSync(path, { throwIfNoEntry: false });
  if (!written) {
    err.write(`The recording is lost: ${path} was removed while it was written; record again\n`);
    return 2;
  }
  const refusal = written.isFile() ? await fitRefusal(path) : null;
  if (refusal !== null) err.write(`armtwin fit will refuse this capture: ${refusal}\n`);
  return recorder.samples === 0 || recorder.ended !== null ? 1 : 0;
}
