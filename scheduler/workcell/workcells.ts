/**
 * Workcells: instruments and the deck that lives across runs. Each belongs to a user; a run of a
 * definition with its own instruments creates or updates the workcell that it names. The deck is
 * stored in the transaction of the events that change it.
 */

import { limits } from '../../contract/limits.ts';
import { isRefusal, type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type { DeckBody, WorkcellBody, WorkcellHead } from '../../contract/types.generated.ts';
import type { StorageRefusal } from '../../server/shares/stored-bytes.ts';
import type { Creation } from '../../server/store/creation.ts';
import type { Draft } from '../../server/store/draft.ts';
import { ALWAYS, type LateError } from '../../server/store/guard.ts';
import type { Store } from '../../server/store/store.ts';
import type { Table } from '../../server/store/table.ts';
import {
  type DeckContents,
  type DeckPlace,
  deckBodyOf,
  deckContentsOf,
  heldLabware,
} from './deck.ts';
import { type NamedStation, stationsOf } from './stations.ts';

/** A workcell as it is stored. */
interface StoredWorkcell extends WorkcellBody {
  readonly owner_id: number;
  readonly deck: DeckBody;
  /** Units by labware id; a piece in the gripper has no place in `deck`. */
  readonly units?: Readonly<Record<string, number>>;
}

export interface Workcell extends WorkcellBody {
  readonly id: number;
  readonly owner_id: number;
  readonly deck: Map<string, DeckPlace>;
  /** The units that are left of labware; its runs change them. */
  readonly stock: Map<string, number>;
}

/** The rows and the last id at one time. */
interface WorkcellsSnapshot {
  readonly rows: ReadonlyMap<number, StoredWorkcell>;
  readonly last_id: number;
}

const SEQUENCE = 'workcells';

type CreationRefusal = Refusal<LateError | 'invalid_arguments' | 'storage_used_up'>;

/** The refusal of a name that another workcell of the user has. */
export function nameInUse(name: string): Refusal<'invalid_arguments'> {
  const problem = `is the name of another workcell of yours: ${name}`;
  return refuse('invalid_arguments', [{ path: '/name', problem }]);
}

export class Workcells {
  private readonly store: Store;
  private readonly table: Table<StoredWorkcell>;
  private readonly live = new Map<number, Workcell>();
  private readonly initial: WorkcellsSnapshot;

  constructor(store: Store) {
    this.store = store;
    this.table = store.table(SEQUENCE);
    const rows = new Map([...this.table.rows()].map(([id, row]) => [Number(id), row] as const));
    this.initial = { rows, last_id: store.counters.get(SEQUENCE) ?? 0 };
    this.load(rows);
  }

  private load(rows: WorkcellsSnapshot['rows']): void {
    this.live.clear();
    for (const [id, { deck, units, ...rest }] of rows) {
      const stock = new Map(Object.entries(units ?? {}));
      this.live.set(id, { id, ...rest, deck: new Map(deckContentsOf(deck)), stock });
    }
  }

  /** Restores the workcells of process start. */
  async reset(): Promise<void> {
    const { rows, last_id } = this.initial;
    this.load(rows);
    await this.store.change((draft) => {
      draft.clear(this.table);
      for (const [id, row] of rows) draft.put(this.table, id, { row });
      draft.setLastNumber(SEQUENCE, last_id);
    });
    // A change that was being stored has shown its workcell since.
    this.load(rows);
  }

  list(owner_id: number): WorkcellHead[] {
    return [...this.live.values()]
      .filter((one) => one.owner_id === owner_id)
      .map(({ id, name }) => ({ id, name }));
  }

  /** Returns a workcell of this owner, or null; those of other users are not visible. */
  find(owner_id: number, id: number): Workcell | null {
    const found = this.live.get(id);
    return found?.owner_id === owner_id ? found : null;
  }

  named(owner_id: number, name: string): Workcell | null {
    for (const one of this.live.values()) {
      if (one.owner_id === owner_id && one.name === name) return one;
    }
    return null;
  }

  get(id: number): Workcell | undefined {
    return this.live.get(id);
  }

  /** The workcell whose arm holds a piece, other than `except`; null for none. */
  holding(except: number | null): Workcell | null {
    for (const one of this.live.values()) {
      const usesArm = one.instruments.some(({ config }) => config && 'stations' in config);
      if (one.id !== except && usesArm && heldLabware(one.deck) !== null) return one;
    }
    return null;
  }

  /** The stations of all workcells: they share the arm. */
  get stations(): NamedStation[] {
    return [...this.live.values()].flatMap(({ instruments }) => stationsOf(instruments));
  }

  /** Adds a workcell with an empty deck; refuses a name that is in use and one above the limit. */
  async create(
    owner_id: number,
    body: WorkcellBody,
    { guard = ALWAYS, onCreated }: Creation<Workcell>,
  ): Promise<Workcell | CreationRefusal> {
    const size_bytes = JSON.stringify(body).length;
    const made = await this.store.change((draft): Workcell | CreationRefusal => {
      const own = [...draft.rows(this.table).values()].filter((one) => one.owner_id === owner_id);
      const refusal = guard() ?? this.store.bytes.refusal({ owner: owner_id }, size_bytes);
      if (refusal) return refusal;
      if (own.some(({ name }) => name === body.name)) {
        return nameInUse(body.name);
      }
      if (own.length >= limits.workcells_per_user) {
        return refuseLimitReached('workcells of yours', limits.workcells_per_user);
      }
      const id = draft.nextNumber(SEQUENCE);
      const workcell: Workcell = { id, owner_id, ...body, deck: new Map(), stock: new Map() };
      this.put(draft, workcell);
      onCreated?.(draft, workcell);
      return workcell;
    });
    if (!isRefusal(made)) this.live.set(made.id, made);
    return made;
  }

  /** Replaces instruments and move times. */
  async update(found: Workcell, body: WorkcellBody): Promise<Workcell | StorageRefusal> {
    const changed: Workcell = { ...found, ...body };
    const more_bytes = JSON.stringify(body).length - JSON.stringify(found).length;
    const refusal = this.store.bytes.refusal({ owner: found.owner_id }, more_bytes);
    if (refusal) return refusal;
    await this.store.change((draft) => this.put(draft, changed));
    this.live.set(found.id, changed);
    return changed;
  }

  /** Stores a workcell with its deck. */
  put(draft: Draft, { id, deck, stock, ...rest }: Workcell): void {
    const units = stock.size > 0 && { units: Object.fromEntries(stock) };
    draft.put(this.table, id, { row: { ...rest, deck: deckBodyOf(deck, new Map()), ...units } });
  }

  /** Replaces the deck, and the units that are said; those of labware that is gone are forgotten. */
  async setDeck(
    found: Workcell,
    deck: DeckContents,
    units: ReadonlyMap<string, number> = new Map(),
  ): Promise<Workcell> {
    const { stock } = found;
    for (const id of stock.keys()) if (!deck.has(id)) stock.delete(id);
    for (const [id, left] of units) stock.set(id, left);
    const changed = { ...found, deck: new Map(deck) };
    await this.store.change((draft) => this.put(draft, changed));
    this.live.set(found.id, changed);
    return changed;
  }

  async remove(id: number): Promise<void> {
    await this.store.change((draft) => draft.remove(this.table, id));
    this.live.delete(id);
  }

  /** Removes all workcells of an owner. */
  async removeAllOf(owner_id: number): Promise<void> {
    for (const { id } of this.list(owner_id)) await this.remove(id);
  }
}
