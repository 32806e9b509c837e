import type { RunEvent } from '../../contract/types.generated.ts';
import { ownTurn } from '../../server/clock/turns.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { Draft } from '../../server/store/draft.ts';
import { StorageError } from '../../server/store/storage-error.ts';
import type { RunArchive } from './run-archive.ts';
import { addEvents, type RunRecord } from './run-record.ts';

/** Time before events that could not be saved are saved again (ms). */
const RETRY_MS = 1000;

/**
 * Adds the deliveries of events to their transaction; the returned function sends them once it is
 * durable.
 */
export type AddDeliveries = (
  draft: Draft,
  sender: RunRecord,
  events: readonly RunEvent[],
) => () => void;

interface RunSaverParts {
  readonly archive: RunArchive;
  readonly addDeliveries: AddDeliveries;
  readonly wall: WallClock;
  readonly onUnsaved: (error: unknown) => void;
  /** Called when the events of a record have become durable and visible. */
  readonly onSaved: (record: RunRecord) => void;
}

/**
 * Saves runs: the changes of one turn of the event loop are one transaction, with the deliveries
 * that their events cause. Events are visible and delivered once they are durable; what could not
 * be saved is tried again.
 */
export class RunSaver {
  private readonly parts: RunSaverParts;
  private readonly updateHistory: (record: RunRecord) => void;
  /** Records that have changed since they were saved, with their new events. */
  private unsaved = new Map<RunRecord, RunEvent[]>();
  /** The saves in progress. */
  private readonly saving = new Map<RunRecord, Promise<void>>();

  constructor(parts: RunSaverParts, updateHistory: (record: RunRecord) => void) {
    this.parts = parts;
    this.updateHistory = updateHistory;
  }

  /** Forgets what has not been saved. */
  clear(): void {
    this.unsaved = new Map();
  }

  /** Saves a record in another turn of the event loop; returns its unsaved events. */
  schedule(record: RunRecord): RunEvent[] {
    const known = this.unsaved.get(record);
    if (known) return known;
    const events: RunEvent[] = [];
    this.unsaved.set(record, events);
    void ownTurn(this.parts.wall).then(() => this.save(record));
    return events;
  }

  /** Saves a record, one attempt at a time. */
  private save(record: RunRecord): Promise<void> {
    const previous = this.saving.get(record) ?? Promise.resolve();
    const saving = previous
      .then(() => this.saveNow(record))
      .finally(() => {
        if (this.saving.get(record) === saving) this.saving.delete(record);
      });
    this.saving.set(record, saving);
    return saving;
  }

  private async saveNow(record: RunRecord): Promise<void> {
    const { unsaved } = this;
    const events = unsaved.get(record);
    if (!events) return;
    unsaved.delete(record);
    this.updateHistory(record);
    const { archive, addDeliveries, onUnsaved, wall } = this.parts;
    let send = () => {};
    try {
      await archive.save(record, events, (draft) => {
        send = addDeliveries(draft, record, events);
      });
    } catch (error) {
      onUnsaved(error);
      unsaved.set(record, [...events, ...(unsaved.get(record) ?? [])]);
      wall.afterUnreferenced(RETRY_MS, () => void this.save(record));
      return;
    }
    // Another map stands there after `clear`.
    if (unsaved !== this.unsaved) return;
    addEvents(record, events);
    this.parts.onSaved(record);
    send();
  }

  /** Resolves when what has happened in a run so far is durable; rejects when it could not be. */
  async saved(record: RunRecord): Promise<void> {
    if (this.unsaved.has(record)) await this.save(record);
    await this.saving.get(record);
    if (!this.unsaved.has(record)) return;
    // What happened in the run has happened; it is saved as soon as the disk allows it.
    throw new StorageError('The run could not be saved', { isUncertain: true });
  }

  /** Tries once to save everything that has not been saved. */
  async flush(): Promise<void> {
    await Promise.all([...this.unsaved.keys()].map((record) => this.save(record)));
    await Promise.all(this.saving.values());
  }
}
