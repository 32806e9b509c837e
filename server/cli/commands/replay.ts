/**
 * `armtwin replay FILE [--mcap OUT] [--html OUT]`: replays a recording tick by tick and exports
 * it. Exits with 0 when every bit is equal, 1 with the first tick and field that differ, 2 when
 * the file is not a whole recording or holds no tick, or when an export cannot be written.
 */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { TICK_S } from '../../../bridge/arm-driver.ts';
import { McapExport } from '../../recording/mcap.ts';
import { RecordingPageBuilder } from '../../recording/recorded-page.ts';
import { type ParsedRecording, parseRecording } from '../../recording/recording-format.ts';
import { isOfOtherPhysics, type ReplayResult, replayRecording } from '../../recording/replay.ts';
import type { CommandOutput } from '../command-output.ts';
import { OptionError } from '../option-error.ts';
import { requireSeparate } from '../result-files.ts';
import { beginResult, ResultError } from '../result-writer.ts';
import { startupErrorText } from '../startup-errors.ts';
import { generatorName, writePage } from './offline-page.ts';
import { createReplayTarget } from './recording-target.ts';

/**
 * A file that is written in parts; rejects with a `ResultError`. It replaces a file when it ends: a
 * recording that cannot be replayed, or an export that fails, leaves that as it was.
 */
function resultFile(path: string) {
  let file: WriteStream | null = null;
  let failure: ResultError | null = null;
  const result = beginResult(path);
  const open = () => {
    file = createWriteStream(result.part);
    file.on('error', (error) => {
      failure = new ResultError(path, error);
    });
    return file;
  };
  const settled = async (work: Promise<unknown>) => {
    await work.catch(() => {});
    if (failure) throw failure;
  };
  return {
    /** Removes what was written, after a failure. */
    discard: () => result.discard(),
    /** Writes bytes; resolves when the file takes more. */
    async write(bytes: Uint8Array): Promise<void> {
      const target = file ?? open();
      await settled(target.write(bytes) || failure ? Promise.resolve() : once(target, 'drain'));
    },
    async end(): Promise<void> {
      if (!failure) file?.end();
      await settled(failure || !file ? Promise.resolve() : once(file, 'close'));
      if (file) result.complete();
    },
  };
}

/** `title`: of the page of a recording that loads no toolpath, or several; else the file's name. */
interface ReplayFlags {
  readonly mcap?: string | undefined;
  readonly html?: string | undefined;
  readonly title?: string;
}

const BREAKS_OFF = '; there the recording breaks off: the twin was killed, or its disk was full';

/** Writes what a replay found; returns the exit code. */
function verdict(
  recording: ParsedRecording,
  { ticks, compared, divergence }: ReplayResult,
  out: CommandOutput['out'],
): number {
  const end = recording.isCut ? BREAKS_OFF : '';
  if (divergence) {
    const { tick, field } = divergence;
    const [was, is] = [divergence.recorded, divergence.replayed].map((one) => JSON.stringify(one));
    if (isOfOtherPhysics(recording.header)) {
      const { recorded_by } = recording.header;
      out.write(`recorded by version ${recorded_by} with other physics: motions differ\n`);
    }
    out.write(`different from tick ${tick} on: ${field} was ${was}, is ${is}\n`);
    return 1;
  }
  if (compared === 0) {
    out.write(`nothing was compared: the recording has no fingerprint of a tick${end}\n`);
    return 2;
  }
  out.write(`equal: every bit of ${ticks} ticks, ${(ticks * TICK_S).toFixed(1)} s${end}\n`);
  return 0;
}

/**
 * Replays a recording, writes its exports and what was found; returns the exit code. Rejects with a
 * `ResultError` where an export cannot be written, else with an Error.
 */
export async function replayFile(
  path: string,
  { mcap: target, html, title }: ReplayFlags,
  out: CommandOutput['out'],
): Promise<number> {
  requireSeparate({ mcap: target, html }, [path]);
  const recording = parseRecording(await readFile(path, 'utf8'));
  const file = typeof target === 'string' ? resultFile(target) : null;
  let mcap: McapExport | null = null;
  let page: RecordingPageBuilder | null = null;
  const replayed = createReplayTarget(recording);
  let result: ReplayResult;
  try {
    result = await replayRecording(recording, replayed, (robot, epoch_ms) => {
      page = new RecordingPageBuilder(robot, replayed.world);
      if (!file) return [page];
      mcap = new McapExport({ robot, epoch_ms, sink: file });
      return [mcap, page];
    });
    await (mcap as McapExport | null)?.finish();
    await file?.end();
  } catch (error) {
    file?.discard();
    throw error;
  }
  if (typeof html === 'string') {
    const made = page as RecordingPageBuilder | null;
    const document = made?.document(
      made.toolpath ?? title ?? basename(path),
      generatorName(),
      recording.end_tick,
    );
    if (document) writePage(document, html);
  }
  return verdict(recording, result, out);
}

/** Runs the command; returns the exit code. */
export async function runReplay(
  path: string,
  flags: ReplayFlags,
  { out, err }: CommandOutput,
): Promise<number> {
  try {
    return await replayFile(path, flags, out);
  } catch (error) {
    err.write(`${replayProblem(path, error)}\n`);
    return 2;
  }
}

/** What is said of a recording that could not be replayed or exported. */
export function replayProblem(path: string, error: unknown): string {
  const text = startupErrorText(error);
  return error instanceof OptionError ? text : `${path}: ${text}`;
}
