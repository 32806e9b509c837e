/** HTTP handlers of runs: start, show, pause, resume, stop, replan, retry, skip and list events. */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RunDetails } from '../../contract/types.ts';
import { type Answer, answer, EMPTY, type Handlers, type SessionCall } from '../http/handler.ts';
import { storedOf } from './definition-handlers.ts';
import type { Run } from './run.ts';
import type { RunRecord } from './run-archive.ts';
import { historyOf, waitingOf } from './run-history.ts';
import type { Runs } from './runs.ts';
import type { Workflows } from './workflows.ts';

type Query = SessionCall['query'];

function detailsOf(runs: Runs, { head, history }: RunRecord): RunDetails {
  const live = runs.liveOf(head.id);
  if (!live) return { ...head, ...history, uses_arm: false, waiting: [] };
  const { model, run, usesArm: uses_arm } = live;
  return { ...head, ...historyOf(live, history.plan), uses_arm, waiting: waitingOf(model, run) };
}

function recordOf(runs: Runs, { caller, parameters }: SessionCall): RunRecord | Refusal {
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

type RunAction = (run: Run) => string | null | Promise<string | null>;

/** Applies an action to the run of the path; a message from the run becomes a refusal. */
async function applyAction(runs: Runs, call: SessionCall, action: RunAction): Promise<Answer> {
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
    async startRun({ caller, parameters, body, recheck }) {
      const workflow_id = parameters['workflow_id']!;
      const stored = storedOf(workflows, caller.user_id, workflow_id);
      if ('refused' in stored) return stored;
      const { model } = workflows.modelOf(stored);
      if (!model)
        return refuse(
          'wrong_state',
          'The stored definition is no longer valid; validate and save it again',
        );
      const head = await runs.start({ caller, workflow_id, model, options: body, recheck });
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
    replanRun: (call) => applyAction(runs, call, (run) => run.replan()),
    retryTask: (call) => applyAction(runs, call, (run) => run.choose(call.body.task_id, 'retry')),
    skipTask: (call) => applyAction(runs, call, (run) => run.choose(call.body.task_id, 'skip')),
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
