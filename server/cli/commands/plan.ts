/**
 * `armtwin plan FILE… [--json] [--html OUT] [--shard i/n] [--profile FILE] [--cell FILE]`: checks
 * and builds toolpaths without an arm. Exits with 0 when all are valid, 1 when one is not, 2 when there are no
 * files or the pages cannot be written.
 */

import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { ArmProfile, Cell } from '../../../contract/types.generated.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import { threadFile } from '../../threads/thread-file.ts';
import type { CommandOutput } from '../command-output.ts';
import { requireFolder, requireWritable } from '../result-files.ts';
import { type Shard, shareOf } from '../shard.ts';
import { alignColumns } from '../text-table.ts';
import { writeToolpathPages } from './offline-page.ts';
import { expandToolpathPaths, noToolpathsText } from './toolpath-files.ts';
import {
  reportOn,
  type ToolpathFinding,
  type ToolpathReport,
  type ToolpathReportTask,
} from './toolpath-report.ts';

/** Up to this many files, worker threads cost more than they save. */
const FEW_FILES = 3;
/** Progress is printed each time this share is done. */
const PROGRESS_SHARE = 0.1;

/** The flags of `plan`. */
export interface PlanFlags {
  readonly json?: boolean;
  /** Only this shard of the files. */
  readonly shard?: Shard;
  /** Worker threads; default: the cores. */
  readonly threads?: number;
  /** The page to write, or the folder of pages for several toolpaths. */
  readonly html?: string;
  /** The arm that times the motions; default: the model. */
  readonly profile?: ArmProfile;
  /** The cell around the arm; default: none, and what it holds is not checked. */
  readonly cell?: Cell;
}

/** Runs the command; returns the exit code. */
export async function runPlan(
  paths: readonly string[],
  { json, shard, html, profile, cell, threads = availableParallelism() }: PlanFlags,
  io: CommandOutput,
): Promise<number> {
  const all = expandToolpathPaths(paths);
  if (all.length === 0) {
    io.err.write(noToolpathsText(paths));
    return 2;
  }
  const files = shard ? shareOf(all, shard) : all;
  if (files.length === 1) requireWritable({ html }, files);
  else if (html !== undefined) requireFolder('html', html);
  if (shard) {
    const { index, count } = shard;
    io.err.write(`shard ${index} of ${count}: ${files.length} of ${all.length} files\n`);
  }
  const tasks = files.map((file) => ({ file, profile, cell }));
  const reports =
    files.length <= FEW_FILES ? tasks.map(reportOn) : await reportInWorkers(tasks, threads, io);
  if (html !== undefined) {
    const arm = { ...(profile && { profile }), ...(cell && { cell }) };
    for (const page of writeToolpathPages(files, html, arm)) io.err.write(`wrote ${page}\n`);
  }
  io.out.write(json ? `${JSON.stringify(reports, null, 2)}\n` : tableOf(reports));
  return reports.every((report) => report.ok) ? 0 : 1;
}

/** Reports in the order of the files, built on worker threads. */
async function reportInWorkers(
  tasks: readonly ToolpathReportTask[],
  threads: number,
  { err }: CommandOutput,
): Promise<ToolpathReport[]> {
  const options = threadFile(import.meta.url, './toolpath-report');
  const maxThreads = Math.min(threads, tasks.length);
  const pool = new Piscina({ ...options, maxThreads });
  const step = Math.max(1, Math.ceil(tasks.length * PROGRESS_SHARE));
  let done = 0;
  const reports = tasks.map(async (task): Promise<ToolpathReport> => {
    const report = await pool.run(task);
    done++;
    if (done % step === 0) err.write(`planned ${done} of ${tasks.length}\n`);
    return report;
  });
  try {
    return await Promise.all(reports);
  } finally {
    await pool.destroy();
  }
}

const HEADINGS = [
  'TOOLPATH',
  'RESULT',
  'DURATION',
  'MOTIONS',
  'JOINT SPEED',
  'ACCELERATION',
  'TOOL',
];

function percent({ share, joint }: { readonly share: number; readonly joint: number }): string {
  return `${Math.round(share * 100)} % (${jointName(joint)})`;
}

function rowOf({ file, ok, duration_s, demand }: ToolpathReport): string[] {
  const result = ok ? 'ok' : 'error';
  if (duration_s === null || !demand) return [file, result, '-', '-', '-', '-', '-'];
  const { motions, joint_speed, joint_acceleration, tool_speed_m_s } = demand;
  return [
    file,
    result,
    `${duration_s.toFixed(2)} s`,
    String(motions),
    percent(joint_speed),
    percent(joint_acceleration),
    `${tool_speed_m_s.toFixed(3)} m/s`,
  ];
}

/** The time of a further loop, where it begins with a motion back to the home waypoint. */
function furtherLoopLine({ duration_s, further_loop_s }: ToolpathReport): string {
  if (duration_s === null || further_loop_s === null || further_loop_s === duration_s) return '';
  const back = (further_loop_s - duration_s).toFixed(2);
  const each = further_loop_s.toFixed(2);
  return `  each further loop ${each} s: it begins with ${back} s back to the home waypoint\n`;
}

/** What a built toolpath was checked against. */
function checkedLine({ checked_against }: ToolpathReport): string {
  return checked_against.length === 0 ? '' : `  checked against: ${checked_against.join(', ')}\n`;
}

function findingLines(kind: string, findings: readonly ToolpathFinding[]): string {
  const lines = findings.map(
    ({ path, problem }) => `  ${kind}: ${path ? `${path} ` : ''}${problem}\n`,
  );
  return lines.join('');
}

function tableOf(reports: readonly ToolpathReport[]): string {
  const rows = [HEADINGS, ...reports.map(rowOf)];
  const lines = alignColumns(rows);
  let text = `${lines[0]}\n`;
  reports.forEach((report, i) => {
    const findings =
      findingLines('error', report.errors) + findingLines('warning', report.warnings);
    text += `${lines[i + 1]}\n${furtherLoopLine(report)}${checkedLine(report)}${findings}`;
  });
  return text;
}
