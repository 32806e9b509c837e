/**
 * All runs of the twin: finds them by owner, stores their events and the decks that they change,
 * and forwards the events to the webhooks. The live runs on one workcell share the arm.
 */

import type { DeckBody, RunEvent, RunHead } from '../../contract/types.generated.ts';
import { timestamp } from '../../server/clock/twin-time.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { Usage } from '../../server/shares/usage.ts';
import { interruptedEvents, interruptedHistory, RESTARTED } from '../archive/interruption.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { type AddDeliveries, RunSaver } from '../archive/run-saver.ts';
import { GONE, isSameLocation } from '../plan/slot-location.ts';
import type { CurrentCell } from '../workcell/cell-deck.ts';
import { otherLocations } from '../workcell/deck-start.ts';
import type { SharedWorkcell } from '../workcell/shared-workcell.ts';
import { updateDeck } from './deck-update.ts';
import { historyOf } from './live-history.ts';
import type { LiveRun } from './live-run.ts';
import { RunStarter } from './run-starter.ts';
import type { RunsParts } from './runs-parts.ts';
import type { StartRefusal, StartRequest } from './start-request.ts';

export class Runs {
  readonly live = new Map<number, LiveRun>();
  /** Number of resets; a start that began before the latest is refused. */
  generation = 0;
  private readonly parts: RunsParts;
  /** The tick since which each instrument is down. */
  private readonly down = new Map<string, number>();
  /** Those who follow the events of a run. */
  private readonly listeners = new Map<RunRecord, Set<() => void>>();
  private readonly saver: RunSaver;
  private readonly starter: RunStarter;
  private last_plan_id: number;
  /** The runs of former processes, all stopped. */
  private readonly initial: readonly RunRecord[];

  constructor(parts: RunsParts) {
    this.parts = parts;
    const addDeliveries: AddDeliveries = (draft, record, events) => {
      const workcell = parts.workcells.get(record.head.workcell_id ?? 0);
      if (workcell) parts.workcells.put(draft, workcell);
      return parts.addDeliveries(draft, record, events);
    };
    const onSaved = (record: RunRecord) => {
      for (const listener of this.listeners.get(record) ?? []) listener();
    };
    this.saver = new RunSaver({ ...parts, addDeliveries, onSaved }, (record) => {
      const live = this.live.get(record.head.id);
      if (live) this.update(record, live);
    });
    this.starter = new RunStarter(this, parts);
    this.last_plan_id = parts.archive.last_plan_id;
    for (const record of parts.archive.records.values()) this.recover(record);
    this.initial = [...parts.archive.records.values()];
  }

  /** Updates the history of a run and the deck of its workcell. */
  private update(record: RunRecord, live: LiveRun): void {
    record.history = historyOf(live, record.history.plan);
    record.pausing = live.run.isPausing;
    const workcell = this.parts.workcells.get(live.workcell_id ?? 0);
    if (workcell) updateDeck(workcell, live.model, live.run.progress);
  }

  /** Restores the runs of process start; live runs end without events. */
  async reset(): Promise<void> {
    this.generation++;
    const liveRuns = [...this.live.values()];
    this.live.clear();
    for (const { run } of liveRuns) run.dispose();
    this.down.clear();
    this.saver.clear();
    await this.parts.archive.restore(this.initial);
    this.last_plan_id = this.parts.archive.last_plan_id;
  }

  /** Marks a run that the end of a process interrupted as stopped, not before its last event. */
  private recover(record: RunRecord): void {
    if (record.head.state === 'stopped') return;
    const last = record.events.at(-1);
    const now = timestamp(this.parts.time);
    const stopped_at = last && last.body.timestamp > now ? last.body.timestamp : now;
    record.history = interruptedHistory(record.history, RESTARTED);
    for (const event of interruptedEvents(record, stopped_at, RESTARTED)) {
      this.onEvent(record, event);
    }
  }

  get wall(): WallClock {
    return this.parts.wall;
  }

  get cell(): CurrentCell {
    return this.parts.cell;
  }

  /** Returns the next plan id. */
  nextPlanId(): number {
    return ++this.last_plan_id;
  }

  /** Returns a run of this owner, or null; runs of other users are not visible. */
  find(owner_id: number, id: number): RunRecord | null {
    const record = this.parts.archive.records.get(id);
    return record?.owner_id === owner_id ? record : null;
  }

  /** Returns a run of any owner, or null. */
  any(id: number): RunRecord | null {
    return this.parts.archive.records.get(id) ?? null;
  }

  list(owner_id: number): RunHead[] {
    const records = [...this.parts.archive.records.values()];
    return records.filter((one) => one.owner_id === owner_id).map(({ head }) => head);
  }

  /** Live and stored runs by owner. */
  get usage(): Usage {
    const counted = (owners: Iterable<number>) => {
      const counts = new Map<number, number>();
      for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      return counts;
    };
    const ownerOf = ({ owner_id }: { readonly owner_id: number }) => owner_id;
    return {
      live_runs: counted([...this.live.values()].map(ownerOf)),
      stored_runs: counted([...this.parts.archive.records.values()].map(ownerOf)),
    };
  }

  /** Returns a run that has not stopped, or null. */
  liveOf(id: number): LiveRun | null {
    return this.live.get(id) ?? null;
  }

  /** The ids of the live runs on a workcell. */
  idsOn(workcell_id: number): number[] {
    const found = [...this.live].filter(([, one]) => one.workcell_id === workcell_id);
    return found.map(([id]) => id);
  }

  /** What the active runs on a workcell share; null without one. */
  sharedOn(workcell_id: number): SharedWorkcell | null {
    for (const one of this.live.values()) {
      if (one.workcell_id === workcell_id) return one.run.shared;
    }
    return null;
  }

  /**
   * The pieces of runs on a workcell that stand elsewhere in a deck, or not at all, each with its run
   * and its place there.
   */
  private movedIn(workcell_id: number, deck: DeckBody) {
    const { gripper } = deck;
    return this.idsOn(workcell_id).flatMap((run_id) => {
      const { run, model } = this.live.get(run_id)!;
      return model.labware.flatMap(({ id }, labware) => {
        const found = deck.labware.find((one) => one.labware_id === id);
        const instrument = model.instruments.findIndex((one) => one.id === found?.instrument_id);
        const to = found ? { instrument, slot: found.slot } : GONE;
        const at = run.progress.locations[labware];
        const isSame = gripper === id ? at === null : at && isSameLocation(at, to);
        return isSame ? [] : [{ run, labware, to, isGripped: gripper === id }];
      });
    });
  }

  /** Why a person cannot change the deck as they say: an active run uses a piece; null if they can. */
  deckFault(workcell_id: number, deck: DeckBody): string | null {
    for (const { run, labware, to, isGripped } of this.movedIn(workcell_id, deck)) {
      const fault = isGripped
        ? `An active run uses ${run.model.labware[labware]!.id}`
        : run.handFault(labware, to);
      if (fault !== null) return fault;
    }
    return this.consumableFault(workcell_id, deck);
  }

  /** The consumables of runs stay where they take them. */
  private consumableFault(workcell_id: number, { labware }: DeckBody): string | null {
    for (const run_id of this.idsOn(workcell_id)) {
      const { supplies, instruments } = this.live.get(run_id)!.model;
      for (const { id, location } of supplies) {
        if (!location) continue;
        const instrument_id = instruments[location.instrument]!.id;
        const found = labware.find((one) => one.labware_id === id);
        if (found?.instrument_id === instrument_id && found.slot === location.slot) continue;
        return `An active run takes units of ${id} in ${instrument_id} slot ${location.slot}`;
      }
    }
    return null;
  }

  /** A person has set the deck: pieces that belong to no run, or that runs do not need now, are elsewhere. */
  deckChanged(workcell_id: number, deck: DeckBody): void {
    const shared = this.sharedOn(workcell_id);
    if (!shared) return;
    for (const { run, labware, to, isGripped } of this.movedIn(workcell_id, deck)) {
      if (!isGripped) run.placeByHand(labware, to);
    }
    const own = new Set(shared.runs.flatMap(({ model }) => model.labware.map(({ id }) => id)));
    const others = deck.labware
      .filter(({ labware_id }) => !own.has(labware_id))
      .map(({ labware_id, ...place }) => [labware_id, place] as const);
    const { gripper } = deck;
    const left = gripper !== null && !own.has(gripper) ? gripper : null;
    shared.setStatics(otherLocations(shared.runs[0]!.model, others), left);
  }

  /** Brings the deck of a workcell up to date with the runs on it. */
  updateDecks(workcell_id: number): void {
    const workcell = this.parts.workcells.get(workcell_id);
    for (const id of workcell ? this.idsOn(workcell_id) : []) {
      const { model, run } = this.live.get(id)!;
      updateDeck(workcell!, model, run.progress);
    }
  }

  /** Plans a workflow and starts a run of it. */
  start(request: StartRequest): Promise<RunHead | StartRefusal> {
    return this.starter.start(request);
  }

  /** Takes an event of a run: it is saved, and changes the head of the run. */
  onEvent(record: RunRecord, event: RunEvent): void {
    const { id } = record.head;
    this.saver.schedule(record).push(event);
    const live = this.live.get(id);
    if (event.hook_type === 'NewPlanHook' && live) live.plan_id = this.nextPlanId();
    if (event.hook_type !== 'RunStateChangeHook') return;
    const { state: change, message, timestamp: at } = event.body;
    const state = change === 'resumed' ? 'started' : change;
    record.head = { ...record.head, state, message, stopped_at: state === 'stopped' ? at : null };
    if (state !== 'stopped') return;
    if (live) this.update(record, live);
    this.live.delete(id);
  }

  /** Saves a run after an API call that may have caused no event. */
  async touch(record: RunRecord): Promise<void> {
    if (this.live.has(record.head.id)) this.saver.schedule(record);
    await this.saver.saved(record);
  }

  /** The owner of the run that each listener follows. */
  get followers(): number[] {
    return [...this.listeners].flatMap(([{ owner_id }, all]) => Array.from(all, () => owner_id));
  }

  /** Calls a listener when events of a run are durable and visible; returns how to end that. */
  onSaved(record: RunRecord, listener: () => void): () => void {
    const found = this.listeners.get(record) ?? new Set();
    this.listeners.set(record, found.add(listener));
    return () => {
      found.delete(listener);
      if (found.size === 0) this.listeners.delete(record);
    };
  }

  /** Stops all live runs of an owner. */
  stopAllOf(owner_id: number): void {
    for (const { id } of this.list(owner_id)) this.liveOf(id)?.run.stop();
  }

  /** The tick since which an instrument is down; null for one that is up. */
  downSince(instrument_id: string): number | null {
    return this.down.get(instrument_id) ?? null;
  }

  /** Takes an instrument down in every workcell, or brings it up again. */
  setInstrument(id: string, isUp: boolean): void {
    if (isUp) this.down.delete(id);
    else if (!this.down.has(id)) this.down.set(id, this.parts.time.tick);
    const reason = `${id} is ${isUp ? 'up again' : 'down'}`;
    for (const { run } of this.live.values()) run.instrumentChanged(reason);
  }

  /** Resolves when the events of a run so far are durable and visible, or could not be saved. */
  async settled(record: RunRecord): Promise<void> {
    await this.saver.saved(record).catch(() => {});
  }

  /** Resolves when all that has happened is durable, or could not be saved. */
  flush(): Promise<void> {
    return this.saver.flush();
  }
}
