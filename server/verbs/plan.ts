/**
 * `armtwin plan FILE… [--json] [--html OUT] [--shard i/n]`: checks and builds toolpaths without
 * an arm, for people and for CI. Answers 0 when all are sound, 1 when one is not, 2 for a call
 * without files.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { threadFile } from '../planning/planning-pool.ts';
import { writeToolpathPages } from './exported-page.ts';
import { type Shard, shareOf } from './shard.ts';
import { toolpathFiles } from './toolpath-files.ts';
import { type Remark, reportOn, type ToolpathReport } from './toolpath-report.ts';

/** Where a verb writes to. */
export interface VerbOutput {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
}

/** Up to so many files no thread is worth its start. */
const FEW_FILES = 3;
/** Progress is told about this often. */
const PROGRESS_SHARE = 0.1;

/** What the command line gives. */
export interface PlanFlags {
  readonly json?: boolean;
  /** Only this share of the files. */
  readonly shard?: Shard;
  /** A page of one file: its name, or for several toolpaths that of their folder. */
  readonly html?: string;
}

/** Runs the verb and answers the exit code of the process. */
export async function planVerb(
  paths: readonly string[],
  { json, shard, html }: PlanFlags,
  io: VerbOutput,
): Promise<number> {
  const all = toolpathFiles(paths);
  if (all.length === 0) {
    io.err.write(`no toolpath files (*.json) in: ${paths.join(', ')}\n`);
    return 2;
  }
  const files = shard ? shareOf(all, shard) : all;
  if (shard) {
    const { index, count } = shard;
    io.err.write(`shard ${index} of ${count}: ${files.length} of ${all.length} files\n`);
  }
  const reports = files.length <= FEW_FILES ? files.map(reportOn) : await onThreads(files, io);
  if (html !== undefined) {
    for (const page of writeToolpathPages(files, html)) io.err.write(`wrote ${page}\n`);
  }
  io.out.write(json ? `${JSON.stringify(reports, null, 2)}\n` : tableOf(reports));
  return reports.every((report) => report.ok) ? 0 : 1;
}

/** Reports in the order of the files, made on as many threads as the machine has. */
async function onThreads(files: readonly string[], { err }: VerbOutput): Promise<ToolpathReport[]> {
  const options = threadFile(import.meta.url, './toolpath-report');
  const maxThreads = Math.min(availableParallelism(), files.length);
  const pool = new Piscina({ ...options, maxThreads });
  const step = Math.max(1, Math.ceil(files.length * PROGRESS_SHARE));
  let done = 0;
  const reports = files.map(async (file): Promise<ToolpathReport> => {
    const report = await pool.run(file);
    done++;
    if (done % step === 0) err.write(`planned ${done} of ${files.length}\n`);
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
  return `${Math.round(share * 100)} % (joint ${joint + 1})`;
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

function remarkLines(kind: string, remarks: readonly Remark[]): string {
  const lines = remarks.map(
    ({ path, problem }) => `  ${kind}: ${path ? `${path} ` : ''}${problem}\n`,
  );
  return lines.join('');
}

function tableOf(reports: readonly ToolpathReport[]): string {
  const rows = [HEADINGS, ...reports.map(rowOf)];
  const widths = HEADINGS.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
  let text = `${lines[0]}\n`;
  reports.forEach(({ warnings, errors }, i) => {
    text += `${lines[i + 1]}\n${remarkLines('error', errors)}${remarkLines('warning', warnings)}`;
  });
  return text;
}
