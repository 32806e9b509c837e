/** All runs of a twin over an archive and workcells in memory, with live runs made by hand. */

import type { RunEvent, RunHead } from '../../contract/types.generated.ts';
import { EMPTY_HISTORY } from '../archive/run-history.ts';
import type { RunRecord } from '../archive/run-record.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import type { DeckContents } from '../workcell/deck.ts';
import type { Workcell } from '../workcell/workcells.ts';
import { freePlanning } from './free-planning.cases.ts';
import { modelOf, planOf, quickWall, ShownParts, StepClock } from './run-parts.cases.ts';
import { Runs } from './runs.ts';

/** Owner of the runs and workcells. */
export const OWNER = 3;

export function headOf(change: Partial<RunHead> = {}): RunHead {
  return {
    id: 7,
    workflow_id: 2,
    workcell_id: 1,
    name: 'day',
    state: 'started',
    message: '',
    started_at: '2020-01-01T00:00:00.000Z',
    stopped_at: null,
    ...change,
  };
}

export function recordOf(change: Partial<RunHead> = {}, rest: Partial<RunRecord> = {}): RunRecord {
  const lists = { hooks: [], events: [], history: EMPTY_HISTORY };
  return { head: headOf(change), owner_id: OWNER, ...lists, pausing: false, ...rest };
}

/** A change of the state of run 7 at a second of the twin. */
export function changeOf(
  state: 'started' | 'paused' | 'resumed' | 'stopped',
  sequence = 1,
  second = 0,
): RunEvent {
  const timestamp = `2020-01-01T00:00:0${second}.000Z`;
  const body = { run_id: '7', timestamp, state, message: `why ${state}` };
  return { sequence, hook_type: 'RunStateChangeHook', body };
}

/** A live run as handlers see it: it records what it is asked to do. */
export class LiveStub extends ShownParts {
  readonly calls: string[] = [];
  isPausing = false;
  state: 'started' | 'paused' | 'stopped' = 'paused';
  schedule = { priority: 5, start_after_s: 1, due_s: Number.POSITIVE_INFINITY };
  /** What each action answers. */
  fault: string | null = null;
  readonly shared = {
    runs: [this as LiveStub],
    statics: null as unknown,
    setStatics: (statics: unknown, gripped: string | null) => {
      this.shared.statics = [statics, gripped];
    },
    joint: { planFor: async () => ({ ok: false, error: { messages: ['none'] } }) },
  };
  readonly replanning = { replanNow: async () => void this.calls.push('replan') };
  readonly tasks = {
    complete: (task: number) => void this.calls.push(`complete ${task}`),
    answerFault: () => null,
    isAsking: () => false,
    prompts: [],
  };
  override readonly moves = {
    pieceTimes: ({ start_s, end_s }: { start_s: number; end_s: number }) => ({ start_s, end_s }),
    prepareNext: async () => {},
  };

  constructor() {
    super(modelOf(), planOf());
  }

  get conditions() {
    return { state: this.state, safety: 'ok', model: this.model, progress: this.progress };
  }

  private note(call: string): string | null {
    this.calls.push(call);
    return this.fault;
  }

  /** A person can move none of its pieces. */
  readonly handFault = (labware: number) => `An active run uses ${this.model.labware[labware]!.id}`;
  readonly placeByHand = (labware: number, to: SlotLocation) =>
    this.progress.place(labware, to, this.now_s);
  /** None of its tasks decides on others. */
  readonly decide = () => {};
  readonly dispose = () => this.note('dispose');
  readonly stop = () => this.note('stop');
  readonly pause = (immediate: boolean) => this.note(`pause ${immediate}`);
  readonly resume = async () => this.note('resume');
  readonly instrumentChanged = () => this.note('instrument');
  readonly followSafety = () => this.note('safety');
  readonly dispatch = () => this.note('dispatch');
}

function workcellOf(id: number, name: string): Workcell {
  const instruments = [
    { id: 'hotel', type: 'hotel', bench: 'a', capacity: 10 },
    { id: 'washer', type: 'washer', bench: 'a' },
    { id: 'reader', type: 'reader', bench: 'a', capacity: 2 },
  ];
  return { id, owner_id: OWNER, name, instruments, deck: new Map(), stock: new Map() };
}

/** Workcells in memory: 1 and 2 of the owner, called one and two. */
class StoredCells {
  readonly calls: string[] = [];
  readonly rows = new Map([
    [1, workcellOf(1, 'one')],
    [2, workcellOf(2, 'two')],
  ]);
  readonly get = (id: number) => this.rows.get(id);
  readonly put = (_draft: unknown, { id }: Workcell) => void this.calls.push(`put ${id}`);

  find(owner_id: number, id: number): Workcell | null {
    return owner_id === OWNER ? (this.rows.get(id) ?? null) : null;
  }

  named(owner_id: number, name: string): Workcell | null {
    const own = owner_id === OWNER ? [...this.rows.values()] : [];
    return own.find((one) => one.name === name) ?? null;
  }

  list(owner_id: number) {
    return owner_id === OWNER ? [...this.rows.values()].map(({ id, name }) => ({ id, name })) : [];
  }

  async update(found: Workcell, body: object): Promise<Workcell> {
    this.rows.set(found.id, { ...found, ...body });
    return this.rows.get(found.id)!;
  }

  setDeck(found: Workcell, deck: DeckContents): Promise<Workcell> {
    return this.update(found, { deck: new Map(deck) });
  }

  async remove(id: number): Promise<void> {
    this.rows.delete(id);
  }
}

/** Runs at 4 s of the twin. */
export class RunsStage {
  readonly clock = new StepClock();
  readonly cells = new StoredCells();
  readonly records = new Map<number, RunRecord>();
  /** Each save: the run, the numbers of its events and what was delivered. */
  readonly saves: string[] = [];
  readonly unsaved: unknown[] = [];
  restored: unknown = null;
  isDiskFull = false;
  pace: object = { kind: 'stepped' };
  readonly runs: Runs;

  constructor(records: readonly RunRecord[] = [], last_plan_id = 40) {
    const { cells, saves } = this;
    this.clock.advanceTo(4);
    for (const record of records) this.records.set(record.head.id, record);
    const archive = {
      records: this.records,
      last_plan_id,
      save: async (
        { head }: RunRecord,
        events: readonly RunEvent[],
        withEvents: (draft: object, events: readonly RunEvent[]) => void,
      ) => {
        if (this.isDiskFull) throw new Error('full');
        withEvents({}, events);
        saves.push(`save ${head.id}: ${events.map(({ sequence }) => sequence).join(' ')}`);
      },
      restore: async (initial: unknown) => {
        this.restored = initial;
        archive.last_plan_id = 60;
      },
    };
    const stage = this;
    this.runs = new Runs({
      archive,
      workcells: cells,
      arm: { state: 'idle', safety: 'ok' },
      time: this.clock,
      timers: this.clock.timers,
      clock: {
        get pace() {
          return stage.pace;
        },
      },
      wall: quickWall,
      cell: () => null,
      planning: freePlanning(),
      addDeliveries: (_draft: object, { head }: RunRecord, events: readonly RunEvent[]) => {
        return () => saves.push(`send ${head.id}: ${events.length}`);
      },
      onUnsaved: (error: unknown) => this.unsaved.push(error),
    } as never);
  }

  /** Adds a run that is live, on the workcell of its head; its pieces stand in the hotel. */
  addLive(change: Partial<RunHead> = {}): { record: RunRecord; run: LiveStub } {
    const record = recordOf(change);
    const { id, workcell_id } = record.head;
    const run = new LiveStub();
    this.records.set(id, record);
    const live = { run, model: run.model, plan_id: 9, usesArm: id === 7, workcell_id };
    this.runs.live.set(id, live as never);
    return { record, run };
  }

  /** Where a piece is on the deck of workcell 1. */
  place(piece: string) {
    return this.cells.rows.get(1)!.deck.get(piece);
  }
}
