/**
 * What is kept of runs across a restart of the process: heads, events and course, each step in one
 * line, so that a torn one leaves no half. A run that was on when the process ended is stopped,
 * with a message: nothing half-true is shown as going on.
 */
import { limits } from '../../contract/limits.ts';
import type { Hook, RunEvent, RunHead } from '../../contract/types.ts';
import { AppendLog } from '../store/append-log.ts';
import {
  type CourseChanges,
  courseChanges,
  NO_COURSE,
  type RunCourse,
  withChanges,
} from './run-course.ts';

/** A run as it is kept. */
export interface RunRecord {
  head: RunHead;
  readonly owner_id: number;
  readonly hooks: readonly Hook[];
  readonly events: RunEvent[];
  course: RunCourse;
}

type ArchiveEntry =
  | ({ readonly kind: 'run' } & RunRecord)
  | {
      readonly kind: 'step';
      readonly head: RunHead;
      readonly events: readonly RunEvent[];
      readonly course: CourseChanges;
    }
  | { readonly kind: 'events'; readonly id: number; readonly events: readonly RunEvent[] }
  | { readonly kind: 'forgotten' };

/** Events in one line of a log that is written anew. */
const EVENTS_A_LINE = 100;

export const RESTARTED = 'the process was restarted';

/** Adds events to a record; the oldest ones give way. */
export function addEvents(record: RunRecord, events: readonly RunEvent[]): void {
  record.events.push(...events);
  const excess = record.events.length - limits.run_events;
  if (excess > 0) record.events.splice(0, excess);
}

/** Adds those events that a record does not have yet. */
function addNewEvents(record: RunRecord, events: readonly RunEvent[]): void {
  const last = record.events.at(-1)?.sequence ?? 0;
  addEvents(
    record,
    events.filter(({ sequence }) => sequence > last),
  );
}

function foldEntries(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const runs = new Map<number, RunRecord>();
  for (const entry of entries) {
    if (entry.kind === 'forgotten') runs.clear();
    else if (entry.kind === 'run') runs.set(entry.head.id, { ...entry, events: [...entry.events] });
    else {
      const run = runs.get(entry.kind === 'events' ? entry.id : entry.head.id);
      if (!run) continue;
      addNewEvents(run, entry.events);
      if (entry.kind === 'events') continue;
      run.head = entry.head;
      run.course = withChanges(run.course, entry.course);
    }
  }
  const kept = [...runs.values()].slice(-limits.runs_kept);
  return kept.map((record) => ({ ...record, kind: 'run' }));
}

export class RunArchive {
  readonly records = new Map<number, RunRecord>();
  /** What stands on disk of each course. */
  private readonly saved = new Map<number, RunCourse>();
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
      const { kind: _, ...record } = entry;
      archive.records.set(record.head.id, { ...record, events: [...record.events] });
      archive.saved.set(record.head.id, record.course);
    }
    log.renewFrom(() => archive.live());
    return archive;
  }

  /** What is kept, in small lines. */
  private *live(): Generator<ArchiveEntry> {
    for (const record of [...this.records.values()]) {
      const { id } = record.head;
      const events = [...record.events];
      yield { ...record, kind: 'run', course: this.saved.get(id) ?? record.course, events: [] };
      for (let at = 0; at < events.length; at += EVENTS_A_LINE) {
        yield { kind: 'events', id, events: events.slice(at, at + EVENTS_A_LINE) };
      }
    }
  }

  get last_id(): number {
    return Math.max(0, ...this.records.keys());
  }

  /** The largest number of a plan. */
  get last_plan_id(): number {
    return Math.max(0, ...[...this.records.values()].map(({ course }) => course.plan?.id ?? 0));
  }

  /** Keeps a new run; the oldest ones give way. */
  add(record: RunRecord): void {
    this.records.set(record.head.id, record);
    this.saved.set(record.head.id, NO_COURSE);
    for (const [id, { head }] of this.records) {
      if (this.records.size <= limits.runs_kept) break;
      if (head.state !== 'stopped') continue;
      this.records.delete(id);
      this.saved.delete(id);
    }
    this.write({ kind: 'run', ...record, events: [], course: NO_COURSE });
  }

  /** Keeps a record as it is now; `events` are those since it was last kept. */
  keep({ head, course }: RunRecord, events: readonly RunEvent[]): void {
    const changes = courseChanges(this.saved.get(head.id) ?? NO_COURSE, course);
    this.saved.set(head.id, course);
    this.write({ kind: 'step', head, events, course: changes });
  }

  /** Puts these records in the place of all that are there. */
  restore(records: readonly RunRecord[]): void {
    this.records.clear();
    this.saved.clear();
    this.write({ kind: 'forgotten' });
    for (const record of records) {
      this.records.set(record.head.id, record);
      this.saved.set(record.head.id, record.course);
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
