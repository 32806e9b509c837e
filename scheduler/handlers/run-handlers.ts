/** HTTP handlers of runs: start, show, pause, resume, stop, replan, retry, skip, list events. */

import { limits } from '../../contract/limits.ts';
import { isRefusal, type Refusal, refuse } from '../../contract/refusal.ts';
import type { RunDetails, RunSchedule } from '../../contract/types.generated.ts';
import type { SessionCall } from '../../server/service/http/call.ts';
import type { Handlers } from '../../server/service/http/handler.ts';
import { type Answer, answer, answerList, EMPTY } from '../../server/service/http/reply.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { storedOf, type Workflows } from '../definition/workflows.ts';
import { lateOperations } from '../run/late-operations.ts';
import { historyOf } from '../run/live-history.ts';
import type { LiveRun } from '../run/live-run.ts';
import { abortLabware, chooseForTask, holdLabware, replanRun } from '../run/operator-actions.ts';
import type { Run } from '../run/run.ts';
import type { Runs } from '../run/runs.ts';
import type { StartRequest } from '../run/start-request.ts';
import { waitingOf } from '../run/waiting-tasks.ts';
import { whatIf } from '../run/what-if.ts';

type Query = SessionCall['query'];

function scheduleReply({ run, model }: LiveRun): RunSchedule {
  const { priority, start_after_s, due_s } = run.schedule;
  const held_labware = [...run.progress.held].map((piece) => model.labware[piece]!.id);
  return { priority, start_after_s, due_s: Number.isFinite(due_s) ? due_s : null, held_labware };
}

function detailsOf(runs: Runs, { head, history }: RunRecord): RunDetails {
  const live = runs.liveOf(head.id);
  if (!live) {
    const nothing = {
      uses_arm: false,
      pausing: false,
      waiting: [],
      late: [],
      prompts: [],
      supplies: [],
      limits: [],
    };
    return { ...head, ...history, ...nothing, schedule: null };
  }
  const { run, usesArm: uses_arm } = live;
  const { isPausing: pausing } = run;
  const limits = run.limits.states(run.plan.current);
  const waiting = waitingOf(live);
  const schedule = scheduleReply(live);
  const late = lateOperations(live.model, run.progress, run.now_s);
  const { prompts } = run.tasks;
  const supplies = run.supplies.states(run.progress);
  const now = { uses_arm, pausing, waiting, late, prompts, supplies, limits, schedule };
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

/** As `recordOf`; for an admin the run of any user. */
function anyRunOf(runs: Runs, call: SessionCall): RunRecord | Refusal<'not_found'> {
  const { caller, parameters } = call;
  const found = caller.role === 'admin' ? runs.any(parameters['run_id']!) : null;
  return found ?? recordOf(runs, call);
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
async function applyAction(
  runs: Runs,
  call: SessionCall,
  action: RunAction,
  find = recordOf,
): Promise<Answer<'not_found' | 'wrong_state'>> {
  const record = find(runs, call);
  if (isRefusal(record)) return record;
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
      if (isRefusal(stored)) return stored;
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
      return isRefusal(head) ? head : answer({ run: head });
    },
    listRuns: ({ caller }) => answer({ runs: runs.list(caller.user_id) }),
    listRunsOfUser: ({ parameters }) => answer({ runs: runs.list(parameters['user_id']!) }),
    getRun(call) {
      const record = recordOf(runs, call);
      return isRefusal(record) ? record : answer({ run: detailsOf(runs, record) });
    },
    async listRunEvents(call) {
      const record = recordOf(runs, call);
      if (isRefusal(record)) return record;
      await runs.settled(record);
      const { events, next } = eventPage(record, call.query);
      return answerList('events', events, { next });
    },
    pauseRun: (call) => applyAction(runs, call, (run) => run.pause(call.body.immediate ?? false)),
    resumeRun: (call) => applyAction(runs, call, (run) => run.resume()),
    stopRun: (call) => applyAction(runs, call, (run) => run.stop(), anyRunOf),
    replanRun: (call) => applyAction(runs, call, replanRun),
    retryTask: (call) =>
      applyAction(runs, call, (run) => chooseForTask(run, call.body.task_id, 'retry')),
    completeTask: (call) =>
      applyAction(runs, call, (run) =>
        chooseForTask(run, call.body.task_id, 'complete', call.body.data_outputs),
      ),
    async whatIf(call) {
      const record = recordOf(runs, call);
      if (isRefusal(record)) return record;
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
