/**
 * The stored runs: each as head, events and history. Events, and whatever is done in their
 * transaction, are durable together.
 */

import { limits } from '../../contract/limits.ts';
import { shares } from '../../contract/shares.ts';
import type { RunEvent, RunHead, WorkflowPlan } from '../../contract/types.generated.ts';
import { Share, type ShareRefusal } from '../../server/shares/share.ts';
import type { StorageRefusal } from '../../server/shares/stored-bytes.ts';
import type { OnCreated } from '../../server/store/creation.ts';
import type { Draft } from '../../server/store/draft.ts';
import type { Store } from '../../server/store/store.ts';
import type { Table } from '../../server/store/table.ts';
import { EMPTY_HISTORY, historyChanges, type RunHistory } from './run-history.ts';
import type { RunRecord } from './run-record.ts';

/** The part of a run that changes with each step, without its lists. */
interface StoredRun extends Pick<RunRecord, 'head' | 'owner_id' | 'hooks' | 'pausing'> {
  readonly now_s: number;
}

/** The lists of a run; each has a table of its own. */
const LISTS = ['events', 'tasks', 'labware', 'moves', 'violations', 'plan'] as const;
type ListName = (typeof LISTS)[number];

/** Work that belongs to the transaction of some events, such as their deliveries. */
type WithEvents = (draft: Draft, events: readonly RunEvent[]) => void;

export class RunArchive {
  readonly records = new Map<number, RunRecord>();
  /** The history of each run as it is on disk. */
  private readonly saved = new Map<number, RunHistory>();
  private readonly store: Store;
  private readonly runs: Table<StoredRun>;
  /** The last run id at the start. */
  private readonly initial_id: number;

  constructor(store: Store) {
    this.store = store;
    this.runs = store.table('runs');
    this.initial_id = store.counters.get('run') ?? 0;
    const rows = [...this.runs.rows()].sort(([a], [b]) => Number(a) - Number(b));
    for (const [key, stored] of rows) this.load(Number(key), stored);
  }

  private list<Row>(id: number, name: ListName): Table<Row> {
    return this.store.table<Row>(`run-${id}-${name}`);
  }

  /** The rows of a list in the order of their keys. */
  private rowsOf<Row>(id: number, name: ListName): Row[] {
    const rows = [...this.list<Row>(id, name).rows()];
    return rows.sort(([a], [b]) => Number(a) - Number(b)).map(([, row]) => row);
  }

  private load(id: number, { now_s, ...rest }: StoredRun): void {
    const history: RunHistory = {
      now_s,
      tasks: this.rowsOf(id, 'tasks'),
      labware: this.rowsOf(id, 'labware'),
      moves: this.rowsOf(id, 'moves'),
      violations: this.rowsOf(id, 'violations'),
      plan: this.rowsOf<WorkflowPlan>(id, 'plan')[0] ?? null,
    };
    const events = this.rowsOf<RunEvent>(id, 'events');
    this.records.set(id, { ...rest, events, history });
    this.saved.set(id, history);
  }

  /** The highest plan id. */
  get last_plan_id(): number {
    return Math.max(0, ...[...this.records.values()].map(({ history }) => history.plan?.id ?? 0));
  }

  /**
   * Stores a new run under the next id, which `withId` puts into its record. It takes the place of
   * the oldest stopped run of its owner where that has a full share; what others store removes
   * none. Resolves once it is durable.
   */
  async create(withId: (id: number) => RunRecord, onCreated?: OnCreated<RunHead>) {
    const { record, removed } = await this.store.change((draft) => {
      const made = withId(draft.nextNumber('run'));
      const { owner_id: owner } = made;
      const isFull = !this.share.hasRoom({ owner });
      const oldest = isFull ? this.stoppedOf(owner)[0] : undefined;
      const old = oldest ? [oldest.head.id] : [];
      for (const id of old) this.removeRun(draft, id);
      this.putRun(draft, made);
      onCreated?.(draft, made.head);
      return { record: made, removed: old };
    });
    this.forget(removed);
    this.records.set(record.head.id, record);
    this.saved.set(record.head.id, EMPTY_HISTORY);
    return record;
  }

  private stoppedOf(owner: number): RunRecord[] {
    const records = [...this.records.values()];
    return records.filter(({ owner_id, head }) => owner_id === owner && head.state === 'stopped');
  }

  /** The runs of each owner. */
  private get share(): Share {
    const share = new Share(shares.stored_runs);
    for (const { owner_id } of this.records.values()) share.add(owner_id);
    return share;
  }

  /**
   * Why a run of an owner cannot be stored: there is no room for its bytes, or for one more and none
   * of theirs has stopped; null if it can.
   */
  refusal(owner: number): ShareRefusal | StorageRefusal | null {
    const noBytes = this.store.bytes.refusal({ owner }, limits.run_least_bytes);
    if (noBytes) return noBytes;
    return this.stoppedOf(owner).length > 0 ? null : this.share.refusal({ owner });
  }

  private forget(ids: readonly number[]): void {
    for (const id of ids) {
      this.records.delete(id);
      this.saved.delete(id);
      for (const name of LISTS) this.store.forgetTable(`run-${id}-${name}`);
    }
  }

  private removeRun(draft: Draft, id: number): void {
    draft.remove(this.runs, id);
    for (const name of LISTS) draft.clear(this.list(id, name));
  }

  private putRun(draft: Draft, { events: _, history, ...rest }: RunRecord): void {
    draft.put(this.runs, rest.head.id, { row: { ...rest, now_s: history.now_s } });
  }

  private putEvents(draft: Draft, id: number, events: readonly RunEvent[]): void {
    const table = this.list<RunEvent>(id, 'events');
    for (const event of events) {
      draft.put(table, event.sequence, { row: event });
      const old = event.sequence - limits.run_events;
      if (old > 0) draft.remove(table, old);
    }
  }

  private putHistory(draft: Draft, id: number, after: RunHistory): void {
    const changes = historyChanges(this.saved.get(id) ?? EMPTY_HISTORY, after);
    for (const name of ['tasks', 'labware', 'moves', 'violations'] as const) {
      const table = this.list<object>(id, name);
      const { length, rows } = changes[name];
      for (const [at, row] of rows) draft.put(table, at, { row });
      for (let at = length; draft.get(table, at) !== undefined; at++) draft.remove(table, at);
    }
    if (changes.plan === undefined) return;
    const table = this.list<WorkflowPlan>(id, 'plan');
    if (changes.plan === null) draft.remove(table, 0);
    else draft.put(table, 0, { row: changes.plan });
  }

  /**
   * Stores a record as it is now with the events since the last call, and `withEvents` in the same
   * transaction. Resolves once it is durable; rejects if nothing was stored.
   */
  async save(
    record: RunRecord,
    events: readonly RunEvent[],
    withEvents: WithEvents,
  ): Promise<void> {
    const { history } = record;
    const { id } = record.head;
    const stored = { ...record };
    await this.store.change((draft) => {
      if (this.records.get(id) !== record) return;
      this.putRun(draft, stored);
      this.putEvents(draft, id, events);
      this.putHistory(draft, id, history);
      withEvents(draft, events);
    });
    if (this.records.get(id) === record) this.saved.set(id, history);
  }

  /** Replaces all records; ids continue as at the start of the process. */
  async restore(records: readonly RunRecord[]): Promise<void> {
    for (const map of [this.records, this.saved]) map.clear();
    for (const record of records) this.records.set(record.head.id, record);
    const removed = await this.store.change((draft) => {
      const ids = [...draft.rows(this.runs).keys()].map(Number);
      for (const id of ids) this.removeRun(draft, id);
      draft.setLastNumber('run', this.initial_id);
      for (const record of records) {
        this.putRun(draft, record);
        this.putEvents(draft, record.head.id, record.events);
        this.putHistory(draft, record.head.id, record.history);
      }
      return ids;
    });
    // A run that was being stored has been added since.
    for (const id of removed) this.records.delete(id);
    for (const record of records) this.records.set(record.head.id, record);
    for (const { head, history } of records) this.saved.set(head.id, history);
  }
}
