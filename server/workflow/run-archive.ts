/**
 * The run archive on disk: head, events and history of each run. Each change is one line of an
 * append-only log, so a torn line leaves no partial change.
 */
import { limits } from '../../contract/limits.ts';
import type { Hook, RunEvent, RunHead } from '../../contract/types.ts';
import { AppendLog } from '../store/append-log.ts';
import {
  EMPTY_HISTORY,
  historyChanges,
  type RunHistory,
  type RunHistoryChanges,
  withChanges,
} from './run-history.ts';

/** A run as it is stored. */
export interface RunRecord {
  head: RunHead;
  readonly owner_id: number;
  readonly hooks: readonly Hook[];
  readonly events: RunEvent[];
  history: RunHistory;
}

type ArchiveEntry =
  | ({ readonly kind: 'run' } & RunRecord)
  | {
      readonly kind: 'step';
      readonly head: RunHead;
      readonly events: readonly RunEvent[];
      readonly history: RunHistoryChanges;
    }
  | { readonly kind: 'events'; readonly id: number; readonly events: readonly RunEvent[] }
  | { readonly kind: 'forgotten' };

/** Events per line of a compacted log. */
const EVENTS_PER_LINE = 100;

export const RESTARTED = 'the process was restarted';

/** Adds events to a record and removes the oldest above the limit. */
export function addEvents(record: RunRecord, events: readonly RunEvent[]): void {
  record.events.push(...events);
  const excess = record.events.length - limits.run_events;
  if (excess > 0) record.events.splice(0, excess);
}

/** Adds the events that a record does not have yet. */
function addNewEvents(record: RunRecord, events: readonly RunEvent[]): void {
  const last = record.events.at(-1)?.sequence ?? 0;
  addEvents(
    record,
    events.filter(({ sequence }) => sequence > last),
  );
}

/** Reads a log entry; data folders of earlier builds name the history `course`. */
function currentEntry(entry: ArchiveEntry): ArchiveEntry {
  const { course, ...rest } = entry as ArchiveEntry & { readonly course?: RunHistory };
  return course === undefined ? entry : ({ ...rest, history: course } as ArchiveEntry);
}

function foldEntries(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const runs = new Map<number, RunRecord>();
  for (const entry of entries.map(currentEntry)) {
    if (entry.kind === 'forgotten') runs.clear();
    else if (entry.kind === 'run') runs.set(entry.head.id, { ...entry, events: [...entry.events] });
    else {
      const run = runs.get(entry.kind === 'events' ? entry.id : entry.head.id);
      if (!run) continue;
      addNewEvents(run, entry.events);
      if (entry.kind === 'events') continue;
      run.head = entry.head;
      run.history = withChanges(run.history, entry.history);
    }
  }
  const kept = [...runs.values()].slice(-limits.stored_runs);
  return kept.map((record) => ({ ...record, kind: 'run' }));
}

export class RunArchive {
  readonly records = new Map<number, RunRecord>();
  /** The history of each run as it is on disk. */
  private readonly saved = new Map<number, RunHistory>();
  private readonly log: AppendLog<ArchiveEntry>;
  private readonly onUnsaved: (error: unknown) => void;

  private constructor(log: AppendLog<ArchiveEntry>, onUnsaved: (error: unknown) => void) {
    this.log = log;
    this.onUnsaved = onUnsaved;
  }

  /** Opens the archive of a data folder (or `:memory:`). */
  static async open(dataFolder: string, onUnsaved: (error: unknown) => void): Promise<RunArchive> {
    const { log, entries } = await AppendLog.open(dataFolder, 'runs.jsonl', foldEntries);
    const archive = new RunArchive(log, onUnsaved);
    for (const entry of entries) {
      if (entry.kind !== 'run') continue;
      const { kind: _, ...record } = entry;
      archive.records.set(record.head.id, { ...record, events: [...record.events] });
      archive.saved.set(record.head.id, record.history);
    }
    log.compactFrom(() => archive.live());
    return archive;
  }

  /** The entries of a compacted log, in short lines. */
  private *live(): Generator<ArchiveEntry> {
    for (const record of [...this.records.values()]) {
      const { id } = record.head;
      const events = [...record.events];
      yield { ...record, kind: 'run', history: this.saved.get(id) ?? record.history, events: [] };
      for (let at = 0; at < events.length; at += EVENTS_PER_LINE) {
        yield { kind: 'events', id, events: events.slice(at, at + EVENTS_PER_LINE) };
      }
    }
  }

  get last_id(): number {
    return Math.max(0, ...this.records.keys());
  }

  /** The highest plan id. */
  get last_plan_id(): number {
    return Math.max(0, ...[...this.records.values()].map(({ history }) => history.plan?.id ?? 0));
  }

  /** Stores a new run and removes the oldest stopped ones above the limit. */
  add(record: RunRecord): void {
    this.records.set(record.head.id, record);
    this.saved.set(record.head.id, EMPTY_HISTORY);
    for (const [id, { head }] of this.records) {
      if (this.records.size <= limits.stored_runs) break;
      if (head.state !== 'stopped') continue;
      this.records.delete(id);
      this.saved.delete(id);
    }
    this.write({ kind: 'run', ...record, events: [], history: EMPTY_HISTORY });
  }

  /** Stores a record as it is now; `events` are those since the last call. */
  save({ head, history }: RunRecord, events: readonly RunEvent[]): void {
    const changes = historyChanges(this.saved.get(head.id) ?? EMPTY_HISTORY, history);
    this.saved.set(head.id, history);
    this.write({ kind: 'step', head, events, history: changes });
  }

  /** Replaces all records. */
  restore(records: readonly RunRecord[]): void {
    this.records.clear();
    this.saved.clear();
    this.write({ kind: 'forgotten' });
    for (const record of records) {
      this.records.set(record.head.id, record);
      this.saved.set(record.head.id, record.history);
      this.write({ kind: 'run', ...record });
    }
  }

  private write(entry: ArchiveEntry): void {
    this.log.append(entry).catch(this.onUnsaved);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
