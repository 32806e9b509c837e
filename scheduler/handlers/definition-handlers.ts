/** HTTP handlers of workflow definitions: save, list, show, replace, delete, validate, plan. */

import { isRefusal } from '../../contract/refusal.ts';
import type { WorkflowHead } from '../../contract/types.generated.ts';
import { ownTurn, runCooperatively } from '../../server/clock/turns.ts';
import { clockAt_s, type TwinTime } from '../../server/clock/twin-time.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { Caller } from '../../server/robot/caller.ts';
import type { SessionCall } from '../../server/service/http/call.ts';
import type { Handlers } from '../../server/service/http/handler.ts';
import { type Answer, answer, EMPTY } from '../../server/service/http/reply.ts';
import type { FairQueue } from '../../server/shares/fair-queue.ts';
import type { OnCreated } from '../../server/store/creation.ts';
import type { ArmPort, PlanningError } from '../arm-port.ts';
import { definitionRefusal } from '../definition/definition-refusal.ts';
import { planAnalysis } from '../definition/plan-analysis.ts';
import { NOTHING_STARTED, planProblem } from '../definition/plan-problem.ts';
import { planRefusal } from '../definition/plan-refusal.ts';
import { planReply } from '../definition/plan-reply.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import {
  headOf,
  type StoredDefinition,
  storedOf,
  type Workflows,
} from '../definition/workflows.ts';
import { planCooperatively } from '../plan/cooperative-planner.ts';
import type { PlanProblem } from '../plan/problem.ts';
import { planRobustness } from '../plan/robustness.ts';
import { PreparedMoves } from '../run/prepared-moves.ts';

export interface DefinitionParts {
  readonly workflows: Workflows;
  readonly arm: Pick<ArmPort, 'loaderFor'>;
  readonly wall: WallClock;
  readonly time: Pick<TwinTime, 'tick' | 'epoch_ms'>;
  readonly nextPlanId: () => number;
  /** Whose workflow is planned next. */
  readonly planning: FairQueue;
}

/** The moves of a definition, planned in the turns of the caller. */
function preparedFor(caller: Caller, model: WorkflowModel, { arm, wall }: DefinitionParts) {
  return PreparedMoves.prepare(model, { arm: arm.loaderFor(caller), wall });
}

/** The planning problem of a definition that begins now. */
function problemNow(
  model: WorkflowModel,
  moves: PreparedMoves,
  { time }: Pick<DefinitionParts, 'time'>,
): PlanProblem {
  const clock_s = clockAt_s(time, time.tick);
  return planProblem(model, moves.time_s, { ...NOTHING_STARTED, clock_s });
}

async function planAnswer(
  parts: DefinitionParts,
  { caller, parameters }: Pick<SessionCall, 'caller' | 'parameters'>,
  stored: StoredDefinition,
): Promise<Answer<'invalid_arguments' | PlanningError>> {
  const { model, errors } = await parts.workflows.modelOf(parameters['workflow_id']!, stored);
  if (!model) return definitionRefusal(errors);
  const moves = await preparedFor(caller, model, parts);
  if (moves.refusal) return moves.refusal;
  await ownTurn(parts.wall);
  const problem = problemNow(model, moves, parts);
  const found = await planCooperatively(problem, { seed: model.seed }, parts.wall);
  if (!found.ok) return planRefusal(found.error, moves.problems);
  await ownTurn(parts.wall);
  const analysis = planAnalysis(model, found.value);
  return answer({ plan: planReply(parts.nextPlanId(), model, found.value), analysis });
}

/** Plans a definition that is not saved: the plan, or why there is none. */
async function plannedValidation(parts: DefinitionParts, caller: Caller, model: WorkflowModel) {
  const { wall } = parts;
  const moves = await preparedFor(caller, model, parts);
  if (moves.refusal) return moves.refusal;
  await ownTurn(wall);
  const problem = problemNow(model, moves, parts);
  const found = await planCooperatively(problem, { seed: model.seed }, wall);
  if (found.ok) return { errors: [], plan: planReply(parts.nextPlanId(), model, found.value) };
  const { kind, messages } = found.error;
  const errors = [...messages, ...moves.problems].map((text) => {
    return { path: '/workflow/tasks', message: `no plan (${kind}): ${text}` };
  });
  return { errors };
}

async function robustnessAnswer(
  parts: DefinitionParts,
  { caller, parameters, query }: Pick<SessionCall, 'caller' | 'parameters' | 'query'>,
  stored: StoredDefinition,
): Promise<Answer<'invalid_arguments' | PlanningError>> {
  const { workflows, wall } = parts;
  const { model, errors } = await workflows.modelOf(parameters['workflow_id']!, stored);
  if (!model) return definitionRefusal(errors);
  const moves = await preparedFor(caller, model, parts);
  if (moves.refusal) return moves.refusal;
  await ownTurn(wall);
  const problem = problemNow(model, moves, parts);
  const found = await planCooperatively(problem, { seed: model.seed }, wall);
  if (!found.ok) return planRefusal(found.error, moves.problems);
  const { executions = 1000, scatter_percent = 20, seed = 1 } = query;
  const { constraints } = problem;
  const options = { executions, scatter: scatter_percent / 100, seed, constraints };
  const steps = planRobustness(problem, found.value, options);
  const { makespan_s } = found.value;
  const robustness = await runCooperatively(wall, () => {
    const step = steps.next();
    return step.done ? { planned_makespan_s: makespan_s, ...step.value } : null;
  });
  return answer({ robustness });
}

/** Returns the handlers of definitions. */
export function definitionHandlers(parts: DefinitionParts): Handlers {
  const { workflows } = parts;
  const inTurn = <Value>({ caller }: Pick<SessionCall, 'caller'>, plan: () => Promise<Value>) =>
    parts.planning.run({ owner: caller.user_id }, plan);
  return {
    async createWorkflow({ caller, body, recheck: guard, record }) {
      const checked = await workflows.checked(caller.user_id, body);
      if (checked.name === null) return definitionRefusal(checked.errors);
      const onCreated: OnCreated<WorkflowHead> = (draft, made) =>
        record(draft, { reply: { workflow: made } });
      const workflow = await workflows.create(caller.user_id, checked, { guard, onCreated });
      return isRefusal(workflow) ? workflow : answer({ workflow });
    },
    listWorkflows: ({ caller }) => answer({ workflows: workflows.list(caller.user_id) }),
    async validateWorkflow({ caller, body, query }) {
      const checked = await workflows.checked(caller.user_id, body);
      const { warnings } = checked;
      const isPlanned = checked.errors.length === 0 && query['plan'] === 1;
      const model = isPlanned ? await workflows.modelOfDocument(caller.user_id, body) : null;
      const planned =
        model && (await inTurn({ caller }, () => plannedValidation(parts, caller, model)));
      if (planned && isRefusal(planned)) return planned;
      const { errors, ...rest } = planned ?? { errors: checked.errors };
      return answer({ is_valid: errors.length === 0, warnings, errors, ...rest });
    },
    async getWorkflow({ caller, parameters }) {
      const id = parameters['workflow_id']!;
      const stored = storedOf(workflows, caller.user_id, id);
      if (isRefusal(stored)) return stored;
      const json = await workflows.sharedTextOf(id, stored);
      const before = `{"workflow":${JSON.stringify(headOf(id, stored)).slice(0, -1)},"definition":`;
      return { ...EMPTY, text: [before, json, '}}'] };
    },
    async updateWorkflow({ caller, parameters, body, recheck }) {
      const owner_id = caller.user_id;
      const id = parameters['workflow_id']!;
      const stored = storedOf(workflows, caller.user_id, id);
      if (isRefusal(stored)) return stored;
      const checked = await workflows.checked(caller.user_id, body);
      if (checked.name === null) return definitionRefusal(checked.errors);
      const workflow = await workflows.replace({ owner_id, id }, checked, recheck);
      return isRefusal(workflow) ? workflow : answer({ workflow });
    },
    async deleteWorkflow({ caller, parameters, recheck }) {
      const id = parameters['workflow_id']!;
      const stored = storedOf(workflows, caller.user_id, id);
      if (isRefusal(stored)) return stored;
      const refusal = await workflows.remove(id, recheck);
      return refusal ?? answer({ workflow: headOf(id, stored) });
    },
    getRobustness(call) {
      const stored = storedOf(workflows, call.caller.user_id, call.parameters['workflow_id']!);
      if (isRefusal(stored)) return stored;
      return inTurn(call, () => robustnessAnswer(parts, call, stored));
    },
    planWorkflow(call) {
      const stored = storedOf(workflows, call.caller.user_id, call.parameters['workflow_id']!);
      return isRefusal(stored) ? stored : inTurn(call, () => planAnswer(parts, call, stored));
    },
  };
}
