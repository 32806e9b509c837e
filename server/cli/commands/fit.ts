/**
 * `armtwin fit CAPTURE… [--out PROFILE]`: estimates timing, friction, load, noise and latency of an
 * arm from captures, writes a profile for `--profile`, and reports how far twin and arm are apart
 * before and after. Exits with 0, with 1 when nothing was identifiable, with 2 when a capture or
 * the profile could not be used.
 */
import { type ArmFit, fitArm } from '../../identify/arm-fit.ts';
import type { Capture } from '../../identify/capture.ts';
import { readCapture } from '../../identify/capture-reader.ts';
import type { CommandOutput } from '../command-output.ts';
import { requireWritable } from '../result-files.ts';
import { writeDocument } from '../result-writer.ts';
import { startupErrorText } from '../startup-errors.ts';
import { fitReport, fitReportText } from './fit-report.ts';
import { createReplayTarget } from './recording-target.ts';

export interface FitFlags {
  /** File for the profile. */
  readonly out?: string;
  /** Print the report as JSON. */
  readonly json?: boolean;
}

/** Runs the command; returns the exit code. */
export async function runFit(
  files: readonly string[],
  flags: FitFlags,
  { out, err }: CommandOutput,
): Promise<number> {
  let fit: ArmFit;
  requireWritable({ out: flags.out }, files);
  try {
    const captures: Capture[] = [];
    for (const file of files) captures.push(await readCapture(file, createReplayTarget));
    fit = fitArm(captures);
  } catch (error) {
    err.write(`${startupErrorText(error)}\n`);
    return 2;
  }
  out.write(flags.json ? `${JSON.stringify(fitReport(fit), null, 2)}\n` : fitReportText(fit));
  if ([...fit.estimates.values()].every(({ value }) => value === null)) {
    err.write('Nothing was identifiable; no profile is written.\n');
    return 1;
  }
  if (flags.out !== undefined) await writeDocument(flags.out, fit.profile);
  return 0;
}
