/**
 * The stored workflow definitions and runs. A definition is visible to its owner only (D8). A run
 * is stored as head, events and history; events, and whatever is done in their transaction, are
 * durable together.
 */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type { Hook, RunEvent, RunHead, WorkflowHead, WorkflowPlan } from '../../contract/types.ts';
import { ownTurn, type WallClock } from '../clock/clock.ts';
import type { CheckedWorkflow, DocumentReader, RunStart } from '../documents/document-tasks.ts';
import {
  ALWAYS,
  type Creation,
  type Database,
  type Guard,
  type LateError,
} from '../store/database.ts';
import { StorageError } from '../store/disk.ts';
import {
  type DocumentGuard,
  Documents,
  type DocumentsSnapshot,
  type Table,
} from '../store/documents.ts';
import type { Draft, OnCreated, Store } from '../store/store.ts';
import type { CheckedDefinition } from './definition.ts';
import { namedWorkcell, unknownWorkcell } from './model.ts';
import { addEvents, EMPTY_HISTORY, historyChanges, type RunHistory } from './run-log.ts';
import type { Workcells } from './workcells.ts';

export interface StoredDefinition {
  readonly owner_id: number;
  readonly name: string;
  readonly warnings: readonly string[];
  /** The workcell that it names in place of its own instruments. */
  readonly workcell?: string | null;
  /** Only in documents of earlier versions; later ones have it as their body. */
  readonly definition?: Record<string, unknown>;
}

interface WorkflowsParts {
  readonly database: Database;
  readonly documents: DocumentReader;
  readonly workcells: Workcells;
}

export class Workflows {
  private readonly parts: WorkflowsParts;
  private readonly stored: Documents<StoredDefinition>;
  private readonly initial: DocumentsSnapshot<StoredDefinition>;
  private readonly shared = new WeakMap<StoredDefinition, WeakRef<Uint8Array>>();

  constructor(parts: WorkflowsParts) {
    this.parts = parts;
    this.stored = new Documents(parts.database.store, 'workflows');
    this.initial = this.stored.snapshot();
  }

  /** Restores the definitions of process start. */
  reset(): Promise<void> {
    return this.stored.restore(this.initial);
  }

  list(owner_id: number): WorkflowHead[] {
    return [...this.stored.all]
      .filter(([, stored]) => stored.owner_id === owner_id)
      .map(([id, stored]) => headOf(id, stored))
      .sort((a, b) => a.id - b.id);
  }

  /** Returns a definition of this owner, or null; those of other users are not visible. */
  find(owner_id: number, id: number): StoredDefinition | null {
    const stored = this.stored.get(id);
    return stored?.owner_id === owner_id ? stored : null;
  }

  /** The definition as JSON text (UTF-8). */
  async textOf(id: number, { definition }: StoredDefinition): Promise<Uint8Array> {
    if (definition) return new TextEncoder().encode(JSON.stringify(definition));
    const json = await this.stored.readBody(id);
    if (json) return json;
    throw new StorageError(`The content of workflow ${id} is missing or damaged`);
  }

  /**
   * The text for replies. Calls at the same time share its bytes: buffers of a megabyte for each of
   * them make collections of garbage that delay ticks. The bytes may not be moved to a thread.
   */
  async sharedTextOf(id: number, stored: StoredDefinition): Promise<Uint8Array> {
    const known = this.shared.get(stored)?.deref();
    if (known) return known;
    const text = await this.textOf(id, stored);
    this.shared.set(stored, new WeakRef(text));
    return text;
  }

  /** Checks a definition, which was valid when it was saved. */
  async modelOf(id: number, stored: StoredDefinition): Promise<CheckedDefinition> {
    return (await this.checks(id, stored))();
  }

  /** The function that checks a definition as it is now, for the start of a run if given. */
  async checks(id: number, stored: StoredDefinition) {
    const { owner_id, definition } = stored;
    const name = stored.workcell ?? namedWorkcell(definition);
    const json = await this.textOf(id, stored);
    return (start?: RunStart) => this.check(owner_id, { json, start }, name);
  }

  /** Checks a document that names its workcell; any other was checked when it was read. */
  async checked(owner_id: number, document: CheckedWorkflow): Promise<CheckedWorkflow> {
    const { json, workcell } = document;
    if (workcell === null) return document;
    const { model, errors, warnings } = await this.check(owner_id, { json }, workcell);
    const name = document.errors.length > 0 ? null : (model?.name ?? null);
    return { ...document, name, errors: [...errors, ...document.errors], warnings };
  }

  /** The model of a document that was checked when it was read; null if it has errors. */
  async modelOfDocument(owner_id: number, document: CheckedWorkflow) {
    return (await this.check(owner_id, document, document.workcell)).model;
  }

  /** Checks a definition with the instruments of the workcell that it names. */
  private async check(
    owner_id: number,
    { json, start }: { readonly json: Uint8Array; readonly start?: RunStart | undefined },
    name: string | null,
  ): Promise<CheckedDefinition> {
    const { workcells, documents } = this.parts;
    const task = { json, ...(start && { start }) };
    if (name === null) return documents.workflow({ ...task, workcell: null });
    const found = workcells.named(owner_id, name);
    if (!found) {
      return { errors: [unknownWorkcell(name)], warnings: [], model: null, definition: null };
    }
    const { instruments, transport_matrix } = found;
    const workcell = { name, instruments, ...(transport_matrix && { transport_matrix }) };
    return documents.workflow({ ...task, workcell });
  }

  /** Saves a definition without errors as a new one, unless the guard refuses. */
  async create(
    owner_id: number,
    { json, ...head }: CheckedWorkflow,
    { guard = ALWAYS, onCreated }: Creation<WorkflowHead> = {},
  ): Promise<WorkflowHead | Refusal<LateError | 'invalid_arguments'>> {
    const row = rowOf(owner_id, head);
    const allow: DocumentGuard<LateError | 'invalid_arguments'> = (draft) => {
      const refusal = guard() ?? this.ownerRefusal(draft, owner_id);
      if (refusal) return refusal;
      const count = this.stored.countIn(draft, (stored) => stored.owner_id === owner_id);
      const most = limits.workflows_per_user;
      return count < most ? null : refuseLimitReached('workflows of yours', most);
    };
    const made = await this.stored.create({ row, body: json }, allow, (draft, id) =>
      onCreated?.(draft, headOf(id, row)),
    );
    return typeof made === 'number' ? headOf(made, row) : made;
  }

  /** Replaces a definition by one without errors, unless the guard refuses. */
  async replace(
    { owner_id, id }: { readonly owner_id: number; readonly id: number },
    { json, ...head }: CheckedWorkflow,
    guard: Guard,
  ): Promise<WorkflowHead | Refusal<LateError | 'not_found'>> {
    const row = rowOf(owner_id, head);
    const refusal = await this.stored.save(id, { row, body: json }, (draft) => {
      const late = guard() ?? this.ownerRefusal(draft, owner_id);
      const isPresent = this.stored.rowIn(draft, id)?.owner_id === owner_id;
      return late ?? (isPresent ? null : refuse('not_found', `You have no workflow ${id}`));
    });
    return refusal ?? headOf(id, row);
  }

  /** The owner may have been deleted since the call began. */
  private ownerRefusal(draft: Draft, owner_id: number): Refusal<'not_authenticated'> | null {
    const isPresent = draft.get(this.parts.database.users, owner_id) !== undefined;
    return isPresent ? null : refuse('not_authenticated');
  }

  /** Removes a definition, unless the guard refuses. */
  remove(id: number, guard: Guard = ALWAYS): Promise<Refusal<LateError> | null> {
    return this.stored.remove(id, guard);
  }

  /** Removes all definitions of an owner. */
  async removeAllOf(owner_id: number): Promise<void> {
    for (const { id } of this.list(owner_id)) await this.remove(id);
  }
}

function rowOf(
  owner_id: number,
  { name, warnings, workcell }: Omit<CheckedWorkflow, 'json'>,
): StoredDefinition {
  return { owner_id, name: name!, warnings, workcell };
}

/** Returns the list entry of a definition. */
export function headOf(id: number, { name, warnings }: StoredDefinition): WorkflowHead {
  return { id, name, warnings: [...warnings] };
}

/** Returns the caller's workflow, or a refusal. */
export function storedOf(
  workflows: Workflows,
  user_id: number,
  id: number,
): StoredDefinition | Refusal<'not_found'> {
  const stored = workflows.find(user_id, id);
  return stored ?? refuse('not_found', `You have no workflow ${id}`);
}

/** A run as it is stored. */
export interface RunRecord {
  head: RunHead;
  readonly owner_id: number;
  readonly hooks: readonly Hook[];
  readonly events: RunEvent[];
  history: RunHistory;
  /** Whether a pause was requested and has not begun. */
  pausing: boolean;
}

export const RESTARTED = 'the process was restarted';

/** The part of a run that changes with each step, without its lists. */
interface StoredRun extends Pick<RunRecord, 'head' | 'owner_id' | 'hooks'> {
  readonly now_s: number;
  readonly pausing?: boolean;
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

  private load(id: number, { head, now_s, pausing = false, ...rest }: StoredRun): void {
    const history: RunHistory = {
      now_s,
      tasks: this.rowsOf(id, 'tasks'),
      labware: this.rowsOf(id, 'labware'),
      moves: this.rowsOf(id, 'moves'),
      violations: this.rowsOf(id, 'violations'),
      plan: this.rowsOf<WorkflowPlan>(id, 'plan')[0] ?? null,
    };
    const known = { ...head, workcell_id: head.workcell_id ?? null };
    const events = this.rowsOf<RunEvent>(id, 'events');
    this.records.set(id, { ...rest, head: known, pausing, events, history });
    this.saved.set(id, history);
  }

  /** The highest plan id. */
  get last_plan_id(): number {
    return Math.max(0, ...[...this.records.values()].map(({ history }) => history.plan?.id ?? 0));
  }

  /**
   * Stores a new run under the next id, which `withId` puts into its record, and removes the oldest
   * stopped runs above the limit. Resolves once it is durable.
   */
  async create(withId: (id: number) => RunRecord, onCreated?: OnCreated<RunHead>) {
    const { record, removed } = await this.store.change((draft) => {
      const made = withId(draft.nextNumber('run'));
      const excess = this.records.size + 1 - limits.stored_runs;
      const stopped = [...this.records.values()].filter(({ head }) => head.state === 'stopped');
      const old = stopped.slice(0, Math.max(0, excess)).map(({ head }) => head.id);
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
