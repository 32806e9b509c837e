/**
 * All runs of the twin: finds them by owner, stores their events and the decks that they change,
 * and forwards the events to the webhooks. The live runs on one workcell share the arm. Also: the
 * HTTP handlers of runs and of workcells.
 */

import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { DeckBody, RunDetails, RunEvent, RunHead, RunSchedule } from '../../contract/types.ts';
import type { Clock, WallClock } from '../clock/clock.ts';
import { type Timers, timestamp } from '../clock/twin-time.ts';
import {
  type Answer,
  answer,
  answerList,
  EMPTY,
  type Handlers,
  type SessionCall,
} from '../http/reply.ts';
import type { Planner } from '../planning/planner.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import {
  type AddDeliveries,
  RESTARTED,
  type RunArchive,
  type RunRecord,
  RunSaver,
  storedOf,
  type Workflows,
} from './archive.ts';
import {
  type CurrentCell,
  contradictionOf,
  type DeckContents,
  deckBodyOf,
  deckContentsOf,
  deckFaults,
  homelessLabware,
  otherLocations,
  workcellInCell,
} from './deck.ts';
import { definitionRefusal } from './definition-handlers.ts';
import type { WorkflowModel } from './model.ts';
import { abortLabware, chooseForTask, holdLabware, replanRun, whatIf } from './operator-actions.ts';
import type { Run } from './run.ts';
import { historyOf, interruptedEvents, interruptedHistory, waitingOf } from './run-log.ts';
import { RunStarter, type StartRefusal } from './run-start.ts';
import type { StartRequest } from './workcell-binding.ts';
import {
  nameInUse,
  type SharedWorkcell,
  updateDeck,
  type Workcell,
  type Workcells,
} from './workcells.ts';

export interface RunsParts {
  readonly archive: RunArchive;
  readonly workcells: Workcells;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly planner: Planner;
  readonly wall: WallClock;
  readonly cell: CurrentCell;
  readonly addDeliveries: AddDeliveries;
  readonly onUnsaved: (error: unknown) => void;
}

export interface LiveRun {
  readonly run: Run;
  readonly model: WorkflowModel;
  /** Id of its current plan. */
  plan_id: number;
  readonly usesArm: boolean;
  /** Null for a run with simulated drivers. */
  readonly workcell_id: number | null;
}

export class Runs {
  readonly live = new Map<number, LiveRun>();
  /** Number of resets; a start that began before the latest is refused. */
  generation = 0;
  private readonly parts: RunsParts;
  private readonly down = new Set<string>();
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
    const now = timestamp(this.parts.loop);
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

  list(owner_id: number): RunHead[] {
    const records = [...this.parts.archive.records.values()];
    return records.filter((one) => one.owner_id === owner_id).map(({ head }) => head);
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

  /** An operator has set the deck: the pieces that belong to no run are elsewhere. */
  deckChanged(workcell_id: number, deck: DeckBody): void {
    const shared = this.sharedOn(workcell_id);
    if (!shared) return;
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

  isDown(instrument_id: string): boolean {
    return this.down.has(instrument_id);
  }

  /** Takes an instrument down in every workcell, or brings it up again. */
  setInstrument(id: string, isUp: boolean): void {
    if (isUp) this.down.delete(id);
    else this.down.add(id);
    for (const { run } of this.live.values()) run.instrumentChanged();
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

/**
 * HTTP handlers of runs (start, show, pause, resume, stop, replan, retry, skip, list events) and of
 * workcells with their decks.
 */

type Query = SessionCall['query'];

function scheduleReply({ run, model }: LiveRun): RunSchedule {
  const { priority, start_after_s, due_s } = run.schedule;
  const held_labware = [...run.progress.held].map((piece) => model.labware[piece]!.id);
  return { priority, start_after_s, due_s: Number.isFinite(due_s) ? due_s : null, held_labware };
}

function detailsOf(runs: Runs, { head, history }: RunRecord): RunDetails {
  const live = runs.liveOf(head.id);
  if (!live) {
    const nothing = { uses_arm: false, pausing: false, waiting: [], limits: [], schedule: null };
    return { ...head, ...history, ...nothing };
  }
  const { run, usesArm: uses_arm } = live;
  const { isPausing: pausing } = run;
  const limits = run.limits.states(run.plan.current);
  const waiting = waitingOf(live);
  const schedule = scheduleReply(live);
  const now = { uses_arm, pausing, waiting, limits, schedule };
  return { ...head, ...historyOf(live, history.plan), ...now };
}

/** Returns the run of the path, or the refusal. */
export function recordOf(
  runs: Runs,
  { caller, parameters }: SessionCall,
): RunRecord | Refusal<'not_found'> {
  const id = parameters['run_id']!;
  return runs.find(caller.user_id, id) ?? refuse('not_found', `You have no run ${id}`);
}

/** Event sequence numbers have no gaps; the oldest events are removed first. */
function eventPage({ events }: RunRecord, { after = 0, limit = limits.page_entries }: Query) {
  const begin = Math.max(0, after + 1 - (events[0]?.sequence ?? 1));
  const shown = events.slice(begin, begin + limit);
  const next = begin + limit < events.length ? shown.at(-1)!.sequence : null;
  return { events: shown, next };
}

function workcellReply({ id, name, instruments, transport_matrix }: Workcell) {
  return { id, name, instruments, ...(transport_matrix && { transport_matrix }) };
}

/** The deck as the cell has it, when the workcell is in the cell, else as it is stored. */
function deckReply(runs: Runs, workcell: Workcell) {
  const { id, deck } = workcell;
  runs.updateDecks(id);
  const real = workcellInCell(runs.cell(), workcell);
  return { workcell_id: id, ...deckBodyOf(real ?? deck), runs: runs.idsOn(id) };
}

type RunAction = (run: Run) => string | null | Promise<string | null>;

/** Applies an action to the run of the path; a message from the run becomes a refusal. */
async function applyAction(
  runs: Runs,
  call: SessionCall,
  action: RunAction,
): Promise<Answer<'not_found' | 'wrong_state'>> {
  const record = recordOf(runs, call);
  if ('refused' in record) return record;
  const live = runs.liveOf(record.head.id);
  live?.run.followSafety();
  const fault = live ? await action(live.run) : `The run is ${record.head.state}`;
  await runs.touch(record);
  return fault === null ? EMPTY : refuse('wrong_state', fault);
}

/** Returns the handlers of runs. */
export function runHandlers(runs: Runs, workflows: Workflows): Handlers {
  return {
    async startRun({ caller, parameters, body, recheck, record }) {
      const workflow_id = parameters['workflow_id']!;
      const stored = storedOf(workflows, caller.user_id, workflow_id);
      if ('refused' in stored) return stored;
      const check = await workflows.checks(workflow_id, stored);
      const { definition } = await check();
      if (!definition)
        return refuse(
          'wrong_state',
          'The stored definition is no longer valid; validate and save it again',
        );
      const onCreated: StartRequest['onCreated'] = (draft, run) =>
        record(draft, { reply: { run } });
      const request = { caller, workflow_id, definition, check, options: body, recheck, onCreated };
      const head = await runs.start(request);
      return 'refused' in head ? head : answer({ run: head });
    },
    listRuns: ({ caller }) => answer({ runs: runs.list(caller.user_id) }),
    getRun(call) {
      const record = recordOf(runs, call);
      return 'refused' in record ? record : answer({ run: detailsOf(runs, record) });
    },
    async listRunEvents(call) {
      const record = recordOf(runs, call);
      if ('refused' in record) return record;
      await runs.settled(record);
      const { events, next } = eventPage(record, call.query);
      return answerList('events', events, { next });
    },
    pauseRun: (call) => applyAction(runs, call, (run) => run.pause(call.body.immediate ?? false)),
    resumeRun: (call) => applyAction(runs, call, (run) => run.resume()),
    stopRun: (call) => applyAction(runs, call, (run) => run.stop()),
    replanRun: (call) => applyAction(runs, call, replanRun),
    retryTask: (call) =>
      applyAction(runs, call, (run) => chooseForTask(run, call.body.task_id, 'retry')),
    completeTask: (call) =>
      applyAction(runs, call, (run) => chooseForTask(run, call.body.task_id, 'complete')),
    async whatIf(call) {
      const record = recordOf(runs, call);
      if ('refused' in record) return record;
      const live = runs.liveOf(record.head.id);
      if (!live) return refuse('wrong_state', `The run is ${record.head.state}`);
      const choices = await whatIf(live.run, call.body.task_id, runs.wall);
      return typeof choices === 'string' ? refuse('wrong_state', choices) : answer({ choices });
    },
    abortLabware: (call) =>
      applyAction(runs, call, (run) => abortLabware(run, call.body.labware_id)),
    holdLabware: (call) =>
      applyAction(runs, call, (run) => holdLabware(run, call.body.labware_id, { isHeld: true })),
    releaseLabware: (call) =>
      applyAction(runs, call, (run) => holdLabware(run, call.body.labware_id, { isHeld: false })),
    skipTask: (call) =>
      applyAction(runs, call, (run) => chooseForTask(run, call.body.task_id, 'skip')),
  };
}

/** A piece of an active run that another deck would move or take away, in words, or null. */
function labwareInUse(runs: Runs, { id, deck }: Workcell, wanted: DeckContents): string | null {
  const shared = runs.sharedOn(id);
  if (!shared) return null;
  runs.updateDecks(id);
  const isSame = (piece: string) => {
    const [now, then] = [deck.get(piece), wanted.get(piece)];
    if (!now || !then) return now === then;
    return now.instrument_id === then.instrument_id && now.slot === then.slot;
  };
  const used = shared.runs.flatMap(({ model }) => model.labware.map((piece) => piece.id));
  const moved = used.find((piece) => !isSame(piece));
  return moved === undefined ? null : `An active run uses ${moved}`;
}

/** Returns the handlers of workcells and their decks. */
export function workcellHandlers(runs: Runs, workcells: Workcells): Handlers {
  const foundFor = ({ caller, parameters }: SessionCall): Workcell | Refusal<'not_found'> => {
    const id = parameters['workcell_id']!;
    return workcells.find(caller.user_id, id) ?? refuse('not_found', `You have no workcell ${id}`);
  };
  /** The workcell of a change, which no active run may use. */
  const unusedFor = (call: SessionCall): Workcell | Refusal<'not_found' | 'wrong_state'> => {
    const found = foundFor(call);
    if ('refused' in found) return found;
    const [busy] = runs.idsOn(found.id);
    return busy === undefined ? found : refuse('wrong_state', `Run ${busy} uses the workcell`);
  };
  return {
    listWorkcells: ({ caller }) => answer({ workcells: workcells.list(caller.user_id) }),
    async createWorkcell({ caller, body, recheck, record }) {
      const made = await workcells.create(caller.user_id, body, {
        guard: recheck,
        onCreated: (draft, one) => record(draft, { reply: { workcell: workcellReply(one) } }),
      });
      return 'refused' in made ? made : answer({ workcell: workcellReply(made) });
    },
    getWorkcell(call) {
      const found = foundFor(call);
      return 'refused' in found ? found : answer({ workcell: workcellReply(found) });
    },
    async updateWorkcell(call) {
      const found = unusedFor(call);
      if ('refused' in found) return found;
      const { body } = call;
      const other = workcells.named(call.caller.user_id, body.name);
      if (other && other.id !== found.id) return nameInUse(body.name);
      const homeless = homelessLabware(found.deck, body.instruments);
      if (homeless.length > 0) return refuse('wrong_state', `${homeless.join('; ')}. Set the deck`);
      return answer({ workcell: workcellReply(await workcells.update(found, body)) });
    },
    async deleteWorkcell(call) {
      const found = unusedFor(call);
      if ('refused' in found) return found;
      await workcells.remove(found.id);
      return answer({ workcell: workcellReply(found) });
    },
    getDeck(call) {
      const found = foundFor(call);
      return 'refused' in found ? found : answer({ deck: deckReply(runs, found) });
    },
    async setDeck(call) {
      const found = foundFor(call);
      if ('refused' in found) return found;
      const faults = deckFaults(found.instruments, call.body);
      if (faults.length > 0) return definitionRefusal(faults);
      const deck = deckContentsOf(call.body);
      const fault = labwareInUse(runs, found, deck) ?? contradictionOf(runs.cell(), found, deck);
      if (fault !== null) return refuse('wrong_state', fault);
      const changed = await workcells.setDeck(found, deck);
      runs.deckChanged(found.id, call.body);
      return answer({ deck: deckReply(runs, changed) });
    },
  };
}

/** Returns the simulation control handlers of instruments. */
export function instrumentHandlers(runs: Runs): Handlers {
  return {
    setInstrument({ body }) {
      runs.setInstrument(body.instrument_id, body.is_up);
      return EMPTY;
    },
  };
}
