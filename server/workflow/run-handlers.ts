/**
 * HTTP handlers of runs (start, show, pause, resume, stop, replan, retry, skip, list events) and of
 * workcells with their decks.
 */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RunDetails, RunSchedule } from '../../contract/types.ts';
import { type Answer, answer, EMPTY, type Handlers, type SessionCall } from '../http/reply.ts';
import {
  type DeckContents,
  deckBodyOf,
  deckContentsOf,
  deckFaults,
  homelessLabware,
} from './deck.ts';
import { definitionRefusal } from './definition-handlers.ts';
import { abortLabware, chooseForTask, holdLabware, replanRun, whatIf } from './operator-actions.ts';
import type { Run } from './run.ts';
import type { RunRecord } from './run-archive.ts';
import { historyOf, waitingOf } from './run-log.ts';
import type { LiveRun, Runs } from './runs.ts';
import { contradictionOf, type StartRequest, workcellInCell } from './workcell-binding.ts';
import { nameInUse, type Workcell, type Workcells } from './workcells.ts';
import { storedOf, type Workflows } from './workflows.ts';

type Query = SessionCall['query'];

function scheduleReply({ run, model }: LiveRun): RunSchedule {
  const { priority, start_after_s, due_s } = run.schedule;
  const held_labware = [...run.progress.held].map((piece) => model.labware[piece]!.id);
  return { priority, start_after_s, due_s: Number.isFinite(due_s) ? due_s : null, held_labware };
}

function detailsOf(runs: Runs, { head, history }: RunRecord): RunDetails {
  const live = runs.liveOf(head.id);
  if (!live) {
    return { ...head, ...history, uses_arm: false, waiting: [], limits: [], schedule: null };
  }
  const { model, run, usesArm: uses_arm } = live;
  const limits = run.limits.states(run.plan.current);
  const waiting = waitingOf(model, run);
  const schedule = scheduleReply(live);
  return { ...head, ...historyOf(live, history.plan), uses_arm, waiting, limits, schedule };
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
      return answer(eventPage(record, call.query));
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
