/**
 * `armtwin rehearse TOOLPATH… --cell FILE`: runs toolpaths against a cell as fast as it goes, and
 * prints what was picked, placed, touched and missed. Exits with 0 when every run was as expected,
 * 1 when one was not, 2 when a file cannot be used or written; the others are rehearsed all
 * the same.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ArmError } from '../../../contract/client.ts';
import type { Toolpath } from '../../../contract/types.generated.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import type { CommandOutput } from '../command-output.ts';
import { type Config, TWIN_DEFAULTS } from '../config.ts';
import { printable } from '../printable.ts';
import { ProcessGuard } from '../process-guard.ts';
import { requireWritable } from '../result-files.ts';
import { writeResult } from '../result-writer.ts';
import { shareOf } from '../shard.ts';
import { startupErrorText } from '../startup-errors.ts';
import { expectationProblems } from './expectation-problems.ts';
import { type JunitCase, junitOf } from './junit.ts';
import { type Rehearsal, RehearsalStage, type RehearsedTwin } from './rehearsal.ts';
import { casesOf, type ToolpathRehearsal, textOf, type Variation } from './rehearsal-report.ts';
import type { RehearseFlags } from './rehearse-flags.ts';
import { expandToolpathPaths, noToolpathsText } from './toolpath-files.ts';
import { readToolpathFile } from './toolpath-report.ts';

/** What the command needs. */
export interface RehearseRequest {
  /** Name in the reports; default: that of the file. */
  readonly title?: string;
  readonly flags: RehearseFlags;
  readonly start: (config: Config) => Promise<RehearsedTwin>;
  readonly io: CommandOutput;
}

/** Greatest offset of an object where none is given (mm). */
const SPREAD_MM = 5;
const TOKEN_BYTES = 32;
const SEED_RANGE = 2 ** 32;

/** A twin in its cell; `seed` draws its imperfections. */
async function openStage(
  rehearsal: Rehearsal,
  { flags: { driver, realism }, start }: RehearseRequest,
  { seed, record }: { readonly seed: number; readonly record: string | null },
) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  // Nothing else waits for the control loop: to start a planning thread would only take time.
  const config = { ...TWIN_DEFAULTS, plansInline: true };
  const own = { driver, realism, noise_seed: seed, token, record };
  const twin = await start({ ...config, ...own });
  const close = () => twin.close();
  try {
    return { close, stage: await RehearsalStage.open(twin, token, rehearsal) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function rehearse(
  rehearsal: Rehearsal,
  request: RehearseRequest,
  record: string | null,
): Promise<ToolpathRehearsal> {
  const { flags } = request;
  const random = createPrng(flags.seed);
  let now = await openStage(rehearsal, request, { seed: flags.seed, record });
  try {
    const report = await now.stage.run(null);
    const variations: Variation[] = [];
    for (let i = 0; i < flags.variations; i++) {
      const seed = Math.floor(random() * SEED_RANGE);
      // Imperfections are drawn at the start of a twin; the recording holds the run as described.
      if (flags.realism !== 'ideal' || (i === 0 && record !== null)) {
        await now.close();
        now = await openStage(rehearsal, request, { seed, record: null });
      }
      const shift = { spread_mm: flags.spread ?? SPREAD_MM, seed };
      variations.push({ number: i + 1, report: await now.stage.run(shift) });
    }
    const { driver, realism } = flags;
    return { name: request.title ?? rehearsal.name, driver, realism, report, variations };
  } finally {
    await now.close();
  }
}

/** Why a file cannot be rehearsed: places with sentences, as `armtwin plan` prints them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ArmError)) return startupErrorText(error);
  const problems = [error.details].flat().flatMap((one) => {
    return one !== null && typeof one === 'object' ? [sentenceOf({ ...one })] : [];
  });
  return problems.length > 0 ? problems.join('; ') : error.message;
}

function sentenceOf(one: Readonly<Record<string, unknown>>): string {
  const { path = '', problem = one['error'] } = one;
  return `${path} ${problem}`.trim();
}

/** Reads a toolpath. Throws an Error with every problem. */
function readToolpath(path: string): Toolpath {
  const read = readToolpathFile(path);
  if (read.ok) return read.value.toolpath;
  throw new Error(read.error.map((one) => sentenceOf({ ...one })).join('; '));
}

const nameOf = (path: string) => basename(path).replace(/\.(json|act)$/i, '');

/** The name of a file in the reports: with its folders where another one has the same name. */
function titleOf(path: string, all: readonly string[]): string {
  const isAlone = all.filter((other) => nameOf(other) === nameOf(path)).length === 1;
  return isAlone ? nameOf(path) : path.replace(/\.(json|act)$/i, '');
}

/** A new temporary folder, which is also removed when this process is killed. */
function temporaryFolder() {
  const path = join(tmpdir(), `rehearse-${randomBytes(6).toString('hex')}`);
  const guard = new ProcessGuard();
  guard.addFolder(path);
  mkdirSync(path, { mode: 0o700 });
  const remove = () => {
    rmSync(path, { recursive: true, force: true });
    guard.close();
  };
  return { path, remove };
}

/** Rehearses a file; returns what happened, or prints and returns why it cannot. */
async function rehearseFile(
  path: string,
  request: RehearseRequest,
): Promise<ToolpathRehearsal | JunitCase> {
  const { flags, io, title } = request;
  const temporary = flags.html === undefined ? null : temporaryFolder();
  const folder = temporary?.path ?? null;
  const name = nameOf(path);
  const record = folder === null ? null : join(folder, name);
  try {
    const { cell, expect: expected = {}, limit: limit_s } = flags;
    const rehearsal = { name, toolpath: readToolpath(path), cell, expected, limit_s };
    const done = await rehearse(rehearsal, request, record);
    if (record !== null) {
      const { runReplay } = await import('./replay.ts');
      const lines: string[] = [];
      const kept = { write: (text: string) => lines.push(text) };
      const code = await runReplay(record, { html: flags.html }, { out: kept, err: kept });
      if (code !== 0) throw new Error(`--html cannot be written: ${lines.join('').trim()}`);
    }
    return done;
  } catch (error) {
    const reason = reasonOf(error);
    io.err.write(`${path}: ${printable(reason)}\n`);
    return { group: title ?? name, title: 'can be rehearsed', outcome: 'broken', reason };
  } finally {
    temporary?.remove();
  }
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
  const done: ToolpathRehearsal[] = [];
  const unread: JunitCase[] = [];
  for (const path of files) {
    const result = await rehearseFile(path, { ...request, title: titleOf(path, all) });
    if ('outcome' in result) {
      unread.push(result);
      continue;
    }
    done.push(result);
    if (flags.json !== true) io.out.write(textOf(result));
  }
  if (flags.json === true) io.out.write(`${JSON.stringify(done, null, 2)}\n`);
  const cases = done.flatMap((one) => casesOf(one, flags.expect?.min_share ?? 0));
  if (flags.junit !== undefined)
    writeResult(flags.junit, junitOf([...cases, ...unread], 'rehearse'));
  if (unread.length > 0) return 2;
  return cases.some(({ outcome }) => outcome === 'broken') ? 1 : 0;
}
