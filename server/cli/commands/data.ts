/**
 * `armtwin data check|repair|backup|restore FOLDER [FILE]`: looks after data folders. Exits with 0,
 * or with 1 when a check, which every backup has at its end, found problems.
 */
import { stat } from 'node:fs/promises';
import { hashToolpath } from '../../../physics/toolpath/hash.ts';
import { backUp, openBackup } from '../../store/backup.ts';
import { hasHead } from '../../store/data-folder.ts';
import { Database } from '../../store/database.ts';
import { openStore } from '../../store/open-store.ts';
import { openForReading } from '../../store/read-only-store.ts';
import { isRecord, RECORD_TABLES } from '../../store/record-check.ts';
import { restore } from '../../store/restore.ts';
import { StorageError } from '../../store/storage-error.ts';
import type { Store } from '../../store/store.ts';
import { inspectStore } from '../../store/store-inspection.ts';
import type { CommandOutput } from '../command-output.ts';

/** Rows that do not fit the schema, and toolpaths whose content is not what was saved. */
async function recordProblems(store: Store): Promise<string[]> {
  const problems: string[] = [];
  for (const name of RECORD_TABLES) {
    for (const [key, row] of store.table(name).rows()) {
      if (!isRecord(name, row)) problems.push(`${name} ${key} is not one of ${name}`);
    }
  }
  if (problems.length > 0) return problems;
  const database = Database.over(store);
  for (const [, row] of database.toolpaths.rows()) {
    const body = await database.readBody(row).catch(() => null);
    const text = body && Buffer.from(body).toString('utf8');
    if (text && hashToolpath(JSON.parse(text) as object) === row.hash) continue;
    problems.push(`The content of toolpath ${row.id} is ${body ? 'another one' : 'lost'}`);
  }
  return problems;
}

function rowsText(rows: Readonly<Record<string, number>>): string {
  const parts = Object.entries(rows).filter(([, count]) => count > 0);
  return parts.map(([name, count]) => `${count} ${name}`).join(', ') || 'no rows';
}

/** Prints the problems of a store, and closes it; returns the exit code. */
async function judge(store: Store, place: string, { out }: CommandOutput): Promise<number> {
  try {
    const { rows, problems } = await inspectStore(store);
    const all = [...problems, ...(await recordProblems(store))];
    for (const problem of all) out.write(`FAIL ${problem}\n`);
    const unfinished_bytes = store.report.unfinished_bytes;
    if (unfinished_bytes > 0) out.write(`     ${unfinished_bytes} bytes of unanswered writes\n`);
    out.write(`${all.length === 0 ? 'ok  ' : 'FAIL'} ${place}: ${rowsText(rows)}\n`);
    return all.length === 0 ? 0 : 1;
  } finally {
    await store.close();
  }
}

/** Checks a data folder, also while a twin uses it, or a backup; changes nothing. */
async function check(place: string, output: CommandOutput): Promise<number> {
  const found = await stat(place);
  if (found.isFile()) {
    const { store, rows } = await openBackup(place);
    return judge(store, `${place}: a backup of ${rows} rows`, output);
  }
  const store = await openForReading(place);
  if (!(await hasHead(place))) {
    output.out.write(`     ${place} has no head file: nothing is lost, and a start writes one\n`);
  }
  return judge(store, place, output);
}

/** Repairs a damaged folder and accepts what is lost. */
async function repair(folder: string, { out }: CommandOutput): Promise<number> {
  const used = await openForReading(folder);
  await used.close();
  const store = await openStore(folder, { acceptsLoss: true });
  try {
    if (store.fault !== null) throw new StorageError(store.fault);
    for (const { text } of store.report.damages) out.write(`     ${text}\n`);
    out.write(`ok   ${folder}: ${store.report.damages.length} damages repaired\n`);
    return 0;
  } finally {
    await store.close();
  }
}

export interface DataRequest {
  readonly action: 'check' | 'repair' | 'backup' | 'restore';
  readonly folder: string;
  /** The backup. */
  readonly file: string;
  /** Whether data in the folder may be replaced. */
  readonly replace: boolean;
}

/** Runs the command; returns its exit code. Rejects with the reason when it cannot be done. */
export async function runData(request: DataRequest, output: CommandOutput): Promise<number> {
  const { action, folder, file, replace } = request;
  const { out } = output;
  if (action === 'check') return check(folder, output);
  if (action === 'repair') return repair(folder, output);
  if (action === 'backup') {
    const rows = await backUp(folder, file);
    const { store } = await openBackup(file);
    return judge(store, `${file}: ${rows} rows of ${folder}`, output);
  }
  const former = await restore(folder, file, { replace });
  out.write(`ok   ${folder}: restored from ${file}\n`);
  if (former) out.write(`     the former journal is in ${former}\n`);
  return 0;
}
