/**
 * `armtwin rehearse TOOLPATH… --cell FILE`: runs toolpaths against a cell as fast as it goes, and
 * prints what was picked, placed, touched and missed. Exits with 0 when every run was as expected,
 * 1 when one was not, 2 when a file cannot be used or written; the others are rehearsed all
 * the same.
 */

import { basename } from 'node:path';
import type { RecordingDocument } from '../../../contract/export-document.ts';
import { failure, type Result, success } from '../../../contract/result.ts';
import type { Toolpath } from '../../../contract/types.generated.ts';
import type { CommandOutput } from '../command-output.ts';
import type { SimulatedDriver } from '../config.ts';
import { printable } from '../printable.ts';
import { requireWritable } from '../result-files.ts';
import { writeResult } from '../result-writer.ts';
import { shareOf } from '../shard.ts';
import { startupErrorText } from '../startup-errors.ts';
import { expectationProblems } from './expectation-problems.ts';
import { touchText } from './happening-text.ts';
import { type JunitCase, junitOf } from './junit.ts';
import { type PlantDifference, plantDifferences } from './plant-differences.ts';
import {
  type PlantOutcome,
  type PlantTask,
  type RecordedRehearsal,
  rehearseOn,
  type StartTwin,
  sentenceOf,
} from './plant-rehearsal.ts';
import type { Rehearsal } from './rehearsal.ts';
import {
  casesOf,
  type PlantRehearsal,
  reportOf,
  type ToolpathRehearsal,
  textOf,
} from './rehearsal-report.ts';
import type { RehearseFlags } from './rehearse-flags.ts';
import { expandToolpathPaths, noToolpathsText } from './toolpath-files.ts';
import { readToolpathFile } from './toolpath-report.ts';

/** What the command needs. */
export interface RehearseRequest {
  /** Name in the reports; default: that of the file. */
  readonly title?: string;
  readonly flags: RehearseFlags;
  readonly start: StartTwin;
  /** Rehearses on another thread meanwhile; absent: this one takes a plant after the other. */
  readonly elsewhere?: (task: PlantTask) => Promise<PlantOutcome>;
  readonly io: CommandOutput;
}

/** The plants in the order of their reports. */
const PLANTS = ['fast', 'rapier'] as const satisfies readonly SimulatedDriver[];

/** The plants to run on: without objects they compute the same, and one is enough. */
function plantsOf({ driver, cell }: RehearseFlags): readonly SimulatedDriver[] {
  if (driver) return [driver];
  return (cell.objects ?? []).length > 0 ? PLANTS : ['fast'];
}

/** How two plants differ in the run as described and in each variation. */
function differencesOf(done: readonly PlantRehearsal[]): PlantDifference[] {
  const [fast, rapier] = PLANTS.map((plant) => done.find(({ driver }) => driver === plant));
  if (!fast || !rapier) return [];
  const described = { variation: null, fast: fast.report, rapier: rapier.report };
  const varied = fast.variations.map(({ number, report }, i) => {
    return { variation: number, fast: report, rapier: rapier.variations[i]!.report };
  });
  return [described, ...varied].flatMap(({ variation, ...runs }) =>
    plantDifferences(runs).map((difference) => ({ variation, ...difference })),
  );
}

/** Writes the page of a rehearsal: that of the first plant on which it did not work, else of the first. */
async function writeRun(
  file: string,
  toolpath: Toolpath,
  done: readonly (ToolpathRehearsal & { readonly recording: RecordingDocument | null })[],
): Promise<void> {
  const shown = done.find(({ report }) => report.failed_s !== null) ?? done[0];
  if (!shown?.recording) return;
  const { report, recording } = shown;
  const contacts = report.contacts.map((contact) => {
    return { at_s: contact.at_s, kind: 'log', words: touchText(contact) } as const;
  });
  const document = {
    ...recording,
    remarks: [...recording.remarks, ...contacts].toSorted((a, b) => a.at_s - b.at_s),
    report: reportOf(shown, JSON.stringify(toolpath)),
    opens_at_s: report.failed_s ?? 0,
  };
  const { writePage } = await import('./offline-page.ts');
  writePage(document, file);
}

/** Rehearses on each plant that is to run: on the last of them here, on the others elsewhere. */
async function rehearseOnPlants(
  rehearsal: Rehearsal,
  { flags, title = rehearsal.name, start, elsewhere }: RehearseRequest,
): Promise<readonly PlantOutcome[]> {
  const tasks = plantsOf(flags).map((driver) => ({ driver, rehearsal, flags, title }));
  const here = (task: PlantTask) => rehearseOn(task, start);
  if (elsewhere) {
    return Promise.all(tasks.map((task, i) => (i < tasks.length - 1 ? elsewhere : here)(task)));
  }
  const outcomes: PlantOutcome[] = [];
  for (const task of tasks) outcomes.push(await here(task));
  return outcomes;
}

/** Rehearses a toolpath on each plant that is to run; writes its page where one is wanted. */
async function rehearse(
  rehearsal: Rehearsal,
  request: RehearseRequest,
): Promise<Result<readonly ToolpathRehearsal[], string>> {
  const { flags } = request;
  const done: RecordedRehearsal[] = [];
  for (const outcome of await rehearseOnPlants(rehearsal, request)) {
    if (!outcome.ok) return outcome;
    done.push(outcome.value);
  }
  const differences = differencesOf(done);
  if (flags.html !== undefined) {
    const shown = done.map((each) => ({ ...each, differences }));
    try {
      await writeRun(flags.html, rehearsal.toolpath, shown);
    } catch (error) {
      return failure(startupErrorText(error));
    }
  }
  return success(done.map(({ recording: _, ...each }) => ({ ...each, differences })));
}

/** The toolpath of a file, or every problem of it. */
function readToolpath(path: string): Result<Toolpath, string> {
  const read = readToolpathFile(path);
  if (read.ok) return success(read.value.toolpath);
  return failure(read.error.map((one) => sentenceOf({ ...one })).join('; '));
}

const nameOf = (path: string) => basename(path).replace(/\.(json|act)$/i, '');

/** The name of a file in the reports: with its folders where another one has the same name. */
function titleOf(path: string, all: readonly string[]): string {
  const isAlone = all.filter((other) => nameOf(other) === nameOf(path)).length === 1;
  return isAlone ? nameOf(path) : path.replace(/\.(json|act)$/i, '');
}

/** A gripper that never closed leaves no event that says why nothing was picked. */
function idleNote(
  done: readonly ToolpathRehearsal[],
  { cell: { objects = [], grippers = [] }, expect }: RehearseFlags,
): string {
  const isClosed = ({ report }: ToolpathRehearsal) =>
    report.events.some(({ kind }) => kind === 'grasped' || kind === 'missed');
  if (objects.length === 0 || grippers.length === 0 || done.some(isClosed)) return '';
  const closes = grippers.map(({ name, output }) => `${name} closes by ${output}`).join(', ');
  const more = expect ? '' : '; --expect FILE says what a run must do';
  return `${printable(`  note     no gripper closed: ${closes}${more}`)}\n`;
}

/** Rehearses a file; returns what happened, or prints and returns why it cannot. */
async function rehearseFile(
  path: string,
  request: RehearseRequest,
): Promise<{ readonly done: readonly ToolpathRehearsal[] } | { readonly unread: JunitCase }> {
  const { flags, io, title } = request;
  const name = nameOf(path);
  const { cell, expect: expected = {}, limit: limit_s } = flags;
  const read = readToolpath(path);
  const outcome = read.ok
    ? await rehearse({ name, toolpath: read.value, cell, expected, limit_s }, request)
    : read;
  if (outcome.ok) return { done: outcome.value };
  const { error: reason } = outcome;
  io.err.write(`${path}: ${printable(reason)}\n`);
  return { unread: { group: title ?? name, title: 'can be rehearsed', outcome: 'broken', reason } };
}

/** Runs the command; returns the exit code. */
export async function runRehearse(
  paths: readonly string[],
  request: RehearseRequest,
): Promise<number> {
  const { flags, io } = request;
  const all = expandToolpathPaths(paths);
  if (all.length === 0) {
    io.err.write(noToolpathsText(paths));
    return 2;
  }
  requireWritable({ junit: flags.junit, html: flags.html }, all);
  const files = flags.shard ? shareOf(all, flags.shard) : all;
  if (flags.shard) {
    const { index, count } = flags.shard;
    io.err.write(`shard ${index} of ${count}: ${files.length} of ${all.length} files\n`);
  }
  if (flags.html !== undefined && files.length > 1) {
    io.err.write('--html takes one toolpath; rehearse the others without it\n');
    return 2;
  }
  if (flags.spread !== undefined && flags.variations === 0) {
    io.err.write('--spread needs --variations, whose positions it draws\n');
    return 2;
  }
  if (flags.variations === 0 && flags.expect?.min_share !== undefined) {
    io.err.write('min_share of --expect needs --variations, of which it is the share\n');
    return 2;
  }
  const unusable = expectationProblems(flags.cell, flags.expect ?? {});
  if (unusable.length > 0) {
    const texts = unusable.map(({ path, problem }) => `${printable(`  ${path} ${problem}`)}\n`);
    io.err.write(`--expect does not fit --cell:\n${texts.join('')}`);
    return 2;
  }
  const done: (readonly ToolpathRehearsal[])[] = [];
  const unread: JunitCase[] = [];
  for (const path of files) {
    const result = await rehearseFile(path, { ...request, title: titleOf(path, all) });
    if ('unread' in result) {
      unread.push(result.unread);
      continue;
    }
    done.push(result.done);
    if (flags.json !== true) io.out.write(textOf(result.done) + idleNote(result.done, flags));
  }
  if (flags.json === true) io.out.write(`${JSON.stringify(done.flat(), null, 2)}\n`);
  const cases = done.flatMap((one) => casesOf(one, flags.expect?.min_share ?? 0));
  if (flags.junit !== undefined)
    writeResult(flags.junit, junitOf([...cases, ...unread], 'rehearse'));
  if (unread.length > 0) return 2;
  return cases.some(({ outcome }) => outcome === 'broken') ? 1 : 0;
}
