/** Workflow definitions over the wire: save, list, show, replace, delete, check, plan. */
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { type Answer, answer, type Handlers } from '../http/handler.ts';
import type { Planner } from '../planning/planner.ts';
import { type Refusal, refuse, refuseMore } from '../robot/refusal.ts';
import { checkDefinition } from './definition.ts';
import { Moves } from './moves.ts';
import { planPatiently } from './patient-planning.ts';
import type { PlanFault } from './plan/problem.ts';
import { FRESH, planProblem } from './plan-problem.ts';
import { planReply } from './plan-reply.ts';
import { headOf, type StoredDefinition, type Workflows } from './workflows.ts';

export interface DefinitionParts {
  readonly workflows: Workflows;
  readonly planner: Planner;
  readonly wall: WallClock;
  readonly nextPlanId: () => number;
}

const DEFAULT_SEED = 1;

function definitionRefusal(errors: readonly { path: string; message: string }[]): Refusal {
  const details = errors.map(({ path, message }) => ({ path, problem: message }));
  return refuse('invalid_arguments', details);
}

/** A plan that cannot be made, as the arm's interface says errors. */
export function planRefusal({ kind, sentences }: PlanFault, more: readonly string[] = []): Refusal {
  const details = [...sentences, ...more].map((problem) => ({ path: '', problem }));
  return refuse('invalid_arguments', [{ path: '', problem: `no plan (${kind})` }, ...details]);
}

/** The workflow of the path's number, when it is the caller's. */
export function storedOf(
  workflows: Workflows,
  user_id: number,
  id: number,
): StoredDefinition | Refusal {
  const stored = workflows.find(user_id, id);
  return stored ?? refuse('not_found', `You have no workflow ${id}`);
}

async function planAnswer(parts: DefinitionParts, stored: StoredDefinition): Promise<Answer> {
  const { model, errors } = parts.workflows.modelOf(stored);
  if (!model) return definitionRefusal(errors);
  const moves = await Moves.prepare(model, parts.planner, false);
  const problem = planProblem(model, moves.time_s, FRESH);
  const found = await planPatiently(problem, { seed: DEFAULT_SEED }, parts.wall);
  if (!found.ok) return planRefusal(found.error, moves.faults);
  return answer({ plan: planReply(parts.nextPlanId(), model, found.value) });
}

/** The handlers of definitions. */
export function definitionHandlers(parts: DefinitionParts): Handlers {
  const { workflows } = parts;
  return {
    async createWorkflow({ caller, body }) {
      const checked = checkDefinition(body);
      if (!checked.model) return definitionRefusal(checked.errors);
      if (workflows.list(caller.user_id).length >= limits.workflows_per_user) {
        return refuseMore('workflows of yours', limits.workflows_per_user);
      }
      const workflow = await workflows.save(caller.user_id, { definition: body, checked });
      return answer({ workflow });
    },
    listWorkflows: ({ caller }) => answer({ workflows: workflows.list(caller.user_id) }),
    validateWorkflow({ body }) {
      const { errors, warnings } = checkDefinition(body);
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
      const checked = checkDefinition(body);
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
