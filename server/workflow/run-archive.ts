/**
 * What is kept of runs across a restart of the process: heads and events. A run that was on when
 * the process ended is stopped, with a message: nothing half-true is shown as going on.
 */
import { limits } from '../../contract/limits.ts';
import type { Hook, RunEvent, RunHead } from '../../contract/types.ts';
import { AppendLog } from '../store/append-log.ts';

/** A run as it is kept. */
export interface RunRecord {
  head: RunHead;
  readonly owner_id: number;
  readonly hooks: readonly Hook[];
  readonly events: RunEvent[];
}

type ArchiveEntry =
  | ({ readonly kind: 'run' } & RunRecord)
  | { readonly kind: 'event'; readonly run_id: number; readonly event: RunEvent }
  | { readonly kind: 'head'; readonly head: RunHead };

export const RESTARTED = 'the process was restarted';

function foldEntries(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const runs = new Map<number, RunRecord>();
  for (const entry of entries) {
    if (entry.kind === 'run') runs.set(entry.head.id, { ...entry, events: [...entry.events] });
    else if (entry.kind === 'head') {
      const run = runs.get(entry.head.id);
      if (run) run.head = entry.head;
    } else runs.get(entry.run_id)?.events.push(entry.event);
  }
  const kept = [...runs.values()].slice(-limits.runs_kept);
  return kept.map((record) => ({ ...record, kind: 'run' }));
}

export class RunArchive {
  readonly records = new Map<number, RunRecord>();
  private readonly log: AppendLog<ArchiveEntry>;
  private readonly onUnsaved: (error: unknown) => void;

  private constructor(log: AppendLog<ArchiveEntry>, onUnsaved: (error: unknown) => void) {
    this.log = log;
    this.onUnsaved = onUnsaved;
  }

  /** Opens the archive of a data folder, or one in memory. */
  static async open(place: string, onUnsaved: (error: unknown) => void): Promise<RunArchive> {
    const { log, entries } = await AppendLog.open(place, 'runs.jsonl', foldEntries);
    const archive = new RunArchive(log, onUnsaved);
    for (const entry of entries) {
      if (entry.kind !== 'run') continue;
      const { head, owner_id, hooks, events } = entry;
      archive.records.set(head.id, { head, owner_id, hooks, events: [...events] });
    }
    return archive;
  }

  get last_id(): number {
    return Math.max(0, ...this.records.keys());
  }

  /** Keeps a new run; the oldest ones give way. */
  add(record: RunRecord): void {
    this.records.set(record.head.id, record);
    for (const [id, { head }] of this.records) {
      if (this.records.size <= limits.runs_kept) break;
      if (head.state === 'stopped') this.records.delete(id);
    }
    this.write({ kind: 'run', ...record, events: [] });
  }

  /** Keeps an event that is in the record already. */
  addEvent(run_id: number, event: RunEvent): void {
    this.write({ kind: 'event', run_id, event });
  }

  /** Keeps a changed head. */
  setHead(head: RunHead): void {
    const record = this.records.get(head.id);
    if (record) record.head = head;
    this.write({ kind: 'head', head });
  }

  private write(entry: ArchiveEntry): void {
    this.log.append(entry).catch(this.onUnsaved);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
