/** HTTP handlers of workflow definitions: save, list, show, replace, delete, validate, plan. */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { type Answer, answer, type Handlers } from '../http/handler.ts';
import type { Planner } from '../planning/planner.ts';
import type { PlanFault } from './plan/problem.ts';
import { PreparedMoves } from './prepared-moves.ts';
import { NOTHING_STARTED, planCooperatively, planProblem, planReply } from './workflow-planning.ts';
import { headOf, type StoredDefinition, type Workflows } from './workflows.ts';

export interface DefinitionParts {
  readonly workflows: Workflows;
  readonly planner: Planner;
  readonly wall: WallClock;
  readonly nextPlanId: () => number;
}

const DEFAULT_SEED = 1;

/** Converts errors of a definition to a refusal. */
export function definitionRefusal(
  errors: readonly { path: string; message: string }[],
): Refusal<'invalid_arguments'> {
  const details = errors.map(({ path, message }) => ({ path, problem: message }));
  return refuse('invalid_arguments', details);
}

/** Converts a plan fault to a refusal. */
export function planRefusal(
  { kind, messages }: PlanFault,
  more: readonly string[] = [],
): Refusal<'invalid_arguments'> {
  const details = [...messages, ...more].map((problem) => ({ path: '', problem }));
  return refuse('invalid_arguments', [{ path: '', problem: `no plan (${kind})` }, ...details]);
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

async function planAnswer(
  parts: DefinitionParts,
  stored: StoredDefinition,
): Promise<Answer<'invalid_arguments'>> {
  const { model, errors } = parts.workflows.modelOf(stored);
  if (!model) return definitionRefusal(errors);
  const moves = await PreparedMoves.prepare(model, parts.planner, false);
  const problem = planProblem(model, moves.time_s, NOTHING_STARTED);
  const found = await planCooperatively(problem, { seed: DEFAULT_SEED }, parts.wall);
  if (!found.ok) return planRefusal(found.error, moves.problems);
  return answer({ plan: planReply(parts.nextPlanId(), model, found.value) });
}

/** Returns the handlers of definitions. */
export function definitionHandlers(parts: DefinitionParts): Handlers {
  const { workflows } = parts;
  return {
    async createWorkflow({ caller, body }) {
      const checked = workflows.check(caller.user_id, body);
      if (!checked.model) return definitionRefusal(checked.errors);
      if (workflows.list(caller.user_id).length >= limits.workflows_per_user) {
        return refuseLimitReached('workflows of yours', limits.workflows_per_user);
      }
      const workflow = await workflows.save(caller.user_id, { definition: body, checked });
      return answer({ workflow });
    },
    listWorkflows: ({ caller }) => answer({ workflows: workflows.list(caller.user_id) }),
    validateWorkflow({ caller, body }) {
      const { errors, warnings } = workflows.check(caller.user_id, body);
      return answer({ is_valid: errors.length === 0, errors, warnings });
    },
    getWorkflow({ caller, parameters }) {
      const id = parameters['workflow_id']!;
      const stored = storedOf(workflows, caller.user_id, id);
      if ('refused' in stored) return stored;
      return answer({ workflow: { ...headOf(id, stored), definition: stored.definition } });
    },
    async updateWorkflow({ caller, parameters, body }) {
      const id = parameters['workflow_id']!;
      const stored = storedOf(workflows, caller.user_id, id);
      if ('refused' in stored) return stored;
      const checked = workflows.check(caller.user_id, body);
      if (!checked.model) return definitionRefusal(checked.errors);
      const workflow = await workflows.save(caller.user_id, { definition: body, checked }, id);
      return answer({ workflow });
    },
    async deleteWorkflow({ caller, parameters }) {
      const id = parameters['workflow_id']!;
      const stored = storedOf(workflows, caller.user_id, id);
      if ('refused' in stored) return stored;
      await workflows.remove(id);
      return answer({ workflow: headOf(id, stored) });
    },
    planWorkflow({ caller, parameters }) {
      const stored = storedOf(workflows, caller.user_id, parameters['workflow_id']!);
      return 'refused' in stored ? stored : planAnswer(parts, stored);
    },
  };
}
