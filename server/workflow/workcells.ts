/**
 * Workcells: instruments and the deck that lives across runs. Each belongs to a user; a run of a
 * definition with its own instruments creates or updates the workcell that it names. The deck is
 * stored in the transaction of the events that change it. Also: a workcell as its active runs share
 * it.
 */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type {
  DeckBody,
  WorkcellBody,
  WorkcellHead,
  WorkflowDefinition,
} from '../../contract/types.ts';
import type { WallClock } from '../clock/clock.ts';
import { TICKS_PER_S, type Timers, type TwinTime } from '../clock/twin-time.ts';
import { ALWAYS, type Creation, type LateError } from '../store/database.ts';
import type { Table } from '../store/documents.ts';
import type { Draft, Store } from '../store/store.ts';
import { type NamedStation, stationsOf } from './arm-carry.ts';
import {
  type DeckContents,
  type DeckPlace,
  deckBodyOf,
  deckContentsOf,
  heldLabware,
} from './deck.ts';
import { JointPlan, type JointResult, type JointWorld, type PlannedRun } from './joint-problem.ts';
import { locationKey, type WorkflowModel } from './model.ts';
import type { PlannedLabwareMove, PlannedTask, SlotLocation } from './plan/problem.ts';
import type { RunProgress } from './progress.ts';
import { type PlanPublisher, Replanning, type RunPlan } from './run-plan.ts';
import type { LabwareTransporter, MoveObserver, MoveOrder } from './transporter.ts';

/** A workcell as it is stored. */
interface StoredWorkcell extends WorkcellBody {
  readonly owner_id: number;
  readonly deck: DeckBody;
}

export interface Workcell extends WorkcellBody {
  readonly id: number;
  readonly owner_id: number;
  readonly deck: Map<string, DeckPlace>;
}

/** The rows and the last id at one time. */
interface WorkcellsSnapshot {
  readonly rows: ReadonlyMap<number, StoredWorkcell>;
  readonly last_id: number;
}

const SEQUENCE = 'workcells';

function isSameBody(a: WorkcellBody, b: WorkcellBody): boolean {
  const [one, other] = [a, b].map(({ instruments, transport_matrix }) =>
    JSON.stringify([instruments, transport_matrix]),
  );
  return one === other;
}

type CreationRefusal = Refusal<LateError | 'invalid_arguments'>;

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
    for (const [id, { deck, ...rest }] of rows) {
      this.live.set(id, { id, ...rest, deck: new Map(deckContentsOf(deck)) });
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
    const made = await this.store.change((draft): Workcell | CreationRefusal => {
      const own = [...draft.rows(this.table).values()].filter((one) => one.owner_id === owner_id);
      const refusal = guard();
      if (refusal) return refusal;
      if (own.some(({ name }) => name === body.name)) {
        return nameInUse(body.name);
      }
      if (own.length >= limits.workcells_per_user) {
        return refuseLimitReached('workcells of yours', limits.workcells_per_user);
      }
      const id = draft.nextNumber(SEQUENCE);
      const workcell: Workcell = { id, owner_id, ...body, deck: new Map() };
      this.put(draft, workcell);
      onCreated?.(draft, workcell);
      return workcell;
    });
    if (!('refused' in made)) this.live.set(made.id, made);
    return made;
  }

  /** Replaces instruments and move times. */
  async update(found: Workcell, body: WorkcellBody): Promise<Workcell> {
    const changed: Workcell = { ...found, ...body };
    await this.store.change((draft) => this.put(draft, changed));
    this.live.set(found.id, changed);
    return changed;
  }

  /** Stores a workcell with its deck. */
  put(draft: Draft, { id, deck, ...rest }: Workcell): void {
    draft.put(this.table, id, { row: { ...rest, deck: deckBodyOf(deck) } });
  }

  /** Replaces the deck. */
  async setDeck(found: Workcell, deck: DeckContents): Promise<Workcell> {
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

/** Writes the labware locations of a run to the deck of its workcell. */
export function updateDeck(
  { deck }: Workcell,
  model: WorkflowModel,
  { locations }: RunProgress,
): void {
  model.labware.forEach(({ id }, i) => {
    const location = locations[i]!;
    const place = location && {
      instrument_id: model.instruments[location.instrument]!.id,
      slot: location.slot,
    };
    deck.set(id, place);
  });
}

/** The name of the workcell of a definition. */
export function workcellNameOf({ workcell, name }: WorkflowDefinition): string {
  return workcell.workcell_id || name;
}

/** The workcell that a definition describes; null if it only names one. */
export function describedWorkcell(definition: WorkflowDefinition): WorkcellBody | null {
  const { instruments, transport_matrix } = definition.workcell;
  if (!instruments) return null;
  const name = workcellNameOf(definition);
  return { name, instruments, ...(transport_matrix && { transport_matrix }) };
}

/** True if a definition describes the workcell as it is stored. */
export function describes(definition: WorkflowDefinition, found: WorkcellBody): boolean {
  const described = describedWorkcell(definition);
  return described === null || isSameBody(described, found);
}

/**
 * A workcell as its active runs share it: one arm, instruments and slots for all, the pieces that
 * belong to no run, and one joint plan. A single run is the usual case.
 */

/** A run on a shared workcell. */
export interface Member extends PlannedRun {
  readonly plan: RunPlan;
  readonly publisher: PlanPublisher;
  /** False while it is paused, pausing or resuming, or waits for its first joint plan. */
  readonly canStart: boolean;
  /** True from the start until the first joint plan that the other runs know. */
  isProvisional: boolean;
  /** Starts what is ready; returns whether there was anything. */
  proceed(): boolean;
  /** Called once no run of the workcell has anything left that is ready. */
  onDispatched(): void;
}

/** What the checks of a run need to know of the other runs and of pieces without a run. */
export interface Neighbours {
  /** The piece in a slot that is not of this run; undefined for none. */
  holderOf(location: SlotLocation): string | undefined;
  /** The tasks of other runs on an instrument. */
  runningOn(instrument: number): string[];
  /** The piece in the gripper that is not of this run; null for none. */
  gripped(): string | null;
}

export interface SharedWorkcellParts {
  readonly transporter: LabwareTransporter;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly isDown: (id: string) => boolean;
  readonly seed: number;
  /** Pieces on the deck that belong to no run. */
  readonly statics: ReadonlyMap<string, SlotLocation>;
  /** Called when the last run has ended. */
  readonly onEmpty: () => void;
}

const EPSILON_S = 1e-6;

export class SharedWorkcell implements JointWorld {
  readonly runs: Member[] = [];
  readonly statics: Map<string, SlotLocation>;
  version = 0;
  /** A piece in the gripper whose run has ended. */
  leftInGripper: string | null = null;
  readonly joint: JointPlan;
  readonly replanning: Replanning;
  readonly isDown: (id: string) => boolean;
  readonly transporter: LabwareTransporter;
  /** The share that moves, or moved last. */
  armOwner: ArmShare | null = null;
  private readonly parts: SharedWorkcellParts;
  private isDispatching = false;
  private mustDispatch = false;

  constructor(parts: SharedWorkcellParts) {
    this.parts = parts;
    this.isDown = parts.isDown;
    this.transporter = parts.transporter;
    this.statics = new Map(parts.statics);
    this.joint = new JointPlan(this, parts.seed);
    this.replanning = new Replanning({ ...parts, joint: this.joint, members: this.runs });
  }

  /** Adds a run; `found` are the plans of all runs with the new one last, made at `tick`. */
  add(run: Member, { plans }: JointResult, tick: number): void {
    const others = [...this.runs];
    this.runs.push(run);
    for (const { id } of run.model.labware) {
      this.statics.delete(id);
      if (this.leftInGripper === id) this.leftInGripper = null;
    }
    this.hasChanged();
    if (others.length === 0) return;
    const isCurrent = tick === this.parts.time.tick && plans.length === this.runs.length;
    if (isCurrent) this.replanning.adopt({ faults: [], plans: plans.slice(0, -1) }, null);
    run.isProvisional = !isCurrent;
    this.replanning.isDue = !isCurrent;
  }

  /** Removes a run that has ended: its pieces stay where they are. */
  remove(run: Member, { goOn }: { readonly goOn: boolean }): void {
    const at = this.runs.indexOf(run);
    if (at < 0) return;
    this.runs.splice(at, 1);
    run.progress.locations.forEach((location, piece) => {
      const { id } = run.model.labware[piece]!;
      if (location) this.statics.set(id, location);
      else this.leftInGripper = id;
    });
    this.hasChanged();
    if (this.runs.length === 0) this.parts.onEmpty();
    else if (goOn) this.changed();
  }

  private hasChanged(): void {
    this.version += 1;
    this.joint.cancelPlanning();
  }

  /** Replaces the pieces that belong to no run, as an operator has corrected the deck. */
  setStatics(statics: ReadonlyMap<string, SlotLocation>, gripped: string | null): void {
    this.statics.clear();
    for (const [id, location] of statics) this.statics.set(id, location);
    this.leftInGripper = gripped;
    this.hasChanged();
    this.changed();
  }

  /** Something has happened that the joint plan does not know of. */
  changed(): void {
    this.replanning.isDue = true;
    this.dispatch();
  }

  /** Starts whatever is ready in any run; called after every change. */
  dispatch(): void {
    this.mustDispatch = true;
    if (this.isDispatching) return;
    this.isDispatching = true;
    try {
      while (this.mustDispatch) {
        this.mustDispatch = false;
        for (const run of [...this.runs]) if (run.proceed()) this.mustDispatch = true;
      }
      for (const run of this.runs) run.onDispatched();
    } finally {
      this.isDispatching = false;
    }
  }

  /** Whether no other run has to start something of the same resource first. */
  private isFirst(
    run: Member,
    { start_s }: { readonly start_s: number },
    otherOf: (other: Member) => { readonly start_s: number } | undefined,
  ): boolean {
    if (this.runs.length === 1) return true;
    const at = this.runs.indexOf(run);
    const own_s = start_s + run.start_tick / TICKS_PER_S;
    return this.runs.every((other, i) => {
      if (i === at || !other.canStart) return true;
      const rival = otherOf(other);
      if (!rival) return true;
      const later_s = rival.start_s + other.start_tick / TICKS_PER_S - own_s;
      return Math.abs(later_s) < EPSILON_S ? i > at : later_s > 0;
    });
  }

  /** Whether a move is the next one of the arm. */
  isNextMove(run: Member, move: PlannedLabwareMove): boolean {
    return this.isFirst(run, move, (other) => other.plan.nextMove);
  }

  /** Whether a task is the next one of its instrument. */
  isNextTask(run: Member, task: PlannedTask): boolean {
    if (task.instrument < 0) return true;
    return this.isFirst(run, task, (other) =>
      other.plan.nextTasks.find(({ instrument }) => instrument === task.instrument),
    );
  }

  /** The other runs and the pieces without a run, as a run sees them. */
  neighboursOf(run: Pick<Member, 'progress'> | null): Neighbours {
    const others = () => this.runs.filter(({ progress }) => progress !== run?.progress);
    return {
      holderOf: (location) => {
        const key = locationKey(location);
        for (const { model, progress } of others()) {
          const index = progress.locations.findIndex((one) => one && locationKey(one) === key);
          if (index >= 0) return model.labware[index]!.id;
          // A piece on its way has its place already.
          const coming = progress.moves.find(
            ({ move, end_s }) => end_s === null && locationKey(move.to) === key,
          );
          if (coming) return model.labware[coming.move.labware]!.id;
        }
        for (const [id, place] of this.statics) if (locationKey(place) === key) return id;
        return undefined;
      },
      runningOn: (instrument) =>
        others().flatMap(({ model, progress }) =>
          progress.runningTasks
            .filter((task) => progress.tasks[task]!.instrument === instrument)
            .map((task) => model.tasks[task]!.id),
        ),
      gripped: () => {
        for (const { model, progress } of others()) {
          const index = progress.locations.indexOf(null);
          if (index >= 0) return model.labware[index]!.id;
        }
        return this.leftInGripper;
      },
    };
  }
}

/** The arm of a shared workcell for one run: it observes and stops only its own moves. */
export class ArmShare implements LabwareTransporter {
  private readonly shared: SharedWorkcell;

  constructor(shared: SharedWorkcell) {
    this.shared = shared;
  }

  private get isOwner(): boolean {
    return this.shared.armOwner === this;
  }

  get isBusy(): boolean {
    return this.isOwner && this.shared.transporter.isBusy;
  }

  get isReady(): boolean {
    const { transporter } = this.shared;
    return transporter.isReady && (this.isOwner || !transporter.isBusy);
  }

  start(order: MoveOrder, observer: MoveObserver): string | null {
    const { transporter } = this.shared;
    if (!this.isOwner && transporter.isBusy) return 'the arm moves labware of another run';
    this.shared.armOwner = this;
    return transporter.start(order, observer);
  }

  update(): void {
    if (this.isOwner) this.shared.transporter.update();
  }

  pause(): void {
    if (this.isOwner) this.shared.transporter.pause();
  }

  async prepareResume(rest: { readonly isHolding: boolean }): Promise<string | null> {
    const { transporter } = this.shared;
    return this.isOwner || !transporter.isBusy ? transporter.prepareResume(rest) : null;
  }

  resume(): string | null {
    return this.isOwner ? this.shared.transporter.resume() : null;
  }

  get isAtRest(): boolean {
    return !this.isOwner || this.shared.transporter.isAtRest;
  }

  cancel(): void {
    if (this.isOwner) this.shared.transporter.cancel();
  }

  losePower(): void {
    if (this.isOwner) this.shared.transporter.losePower();
  }

  detach(): void {
    this.shared.transporter.detach();
  }
}
