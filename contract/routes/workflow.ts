/**
 * The endpoints of workflow definitions and workcells (D8) under /workflow/v1. The webhook
 * specification does not define them; they follow the conventions of the arm's API.
 */

import type { RouteRow } from './row.ts';
import { JSON_REPLY, PLANNING_BOUNDS } from './row-defaults.ts';

const WORKFLOWS = '/workflow/v1/workflows';
const WORKCELLS = '/workflow/v1/workcells';
const { bodyLimit_bytes } = PLANNING_BOUNDS;

export const WORKFLOW_ROUTES = [
  {
    ...JSON_REPLY,
    id: 'createWorkflow',
    creates: true,
    method: 'POST',
    path: WORKFLOWS,
    bodyLimit_bytes,
    body: 'WorkflowDocument',
    reply: 'WorkflowReply',
    summary: 'Saves a new workflow definition',
  },
  {
    ...JSON_REPLY,
    id: 'listWorkflows',
    method: 'GET',
    path: WORKFLOWS,
    reply: 'WorkflowsReply',
    summary: "Lists the caller's workflows",
  },
  {
    ...JSON_REPLY,
    id: 'validateWorkflow',
    method: 'POST',
    path: `${WORKFLOWS}/validate`,
    timeout_s: PLANNING_BOUNDS.timeout_s,
    query: {
      plan: {
        description: '1: also plans: returns the plan, or names why there is none',
        minimum: 0,
        maximum: 1,
      },
    },
    bodyLimit_bytes,
    body: 'WorkflowDocument',
    reply: 'ValidationReply',
    summary: 'Validates a definition without saving it',
  },
  {
    ...JSON_REPLY,
    id: 'getWorkflow',
    method: 'GET',
    path: `${WORKFLOWS}/{workflow_id}`,
    reply: 'StoredWorkflowReply',
    summary:
      'Returns a workflow definition as it was sent, with the tasks that its templates make; ' +
      'numbers have the precision of a double',
  },
  {
    ...JSON_REPLY,
    id: 'updateWorkflow',
    refusals: ['storage_used_up'],
    method: 'PUT',
    path: `${WORKFLOWS}/{workflow_id}`,
    bodyLimit_bytes,
    body: 'WorkflowDocument',
    reply: 'WorkflowReply',
    summary: 'Replaces a workflow definition',
  },
  {
    ...JSON_REPLY,
    id: 'deleteWorkflow',
    method: 'DELETE',
    path: `${WORKFLOWS}/{workflow_id}`,
    reply: 'WorkflowReply',
    summary: 'Deletes a workflow; its runs remain',
  },
  {
    ...JSON_REPLY,
    id: 'createWorkcell',
    creates: true,
    method: 'POST',
    path: WORKCELLS,
    bodyLimit_bytes,
    body: 'WorkcellBody',
    reply: 'WorkcellReply',
    summary: 'Creates a workcell with an empty deck',
  },
  {
    ...JSON_REPLY,
    id: 'listWorkcells',
    method: 'GET',
    path: WORKCELLS,
    reply: 'WorkcellsReply',
    summary: "Lists the caller's workcells",
  },
  {
    ...JSON_REPLY,
    id: 'getWorkcell',
    method: 'GET',
    path: `${WORKCELLS}/{workcell_id}`,
    reply: 'WorkcellReply',
    summary: 'Returns the instruments and move times of a workcell',
  },
  {
    ...JSON_REPLY,
    id: 'updateWorkcell',
    method: 'PUT',
    path: `${WORKCELLS}/{workcell_id}`,
    bodyLimit_bytes,
    body: 'WorkcellBody',
    reply: 'WorkcellReply',
    refusals: ['wrong_state', 'storage_used_up'],
    summary: 'Replaces the instruments and move times of a workcell; its deck stays',
  },
  {
    ...JSON_REPLY,
    id: 'deleteWorkcell',
    method: 'DELETE',
    path: `${WORKCELLS}/{workcell_id}`,
    reply: 'WorkcellReply',
    refusals: ['wrong_state'],
    summary: 'Deletes a workcell and its deck',
  },
  {
    ...JSON_REPLY,
    id: 'getDeck',
    method: 'GET',
    path: `${WORKCELLS}/{workcell_id}/deck`,
    reply: 'DeckReply',
    summary: 'Returns where each piece of labware stands and what the gripper holds',
  },
  {
    ...JSON_REPLY,
    id: 'setDeck',
    method: 'PUT',
    path: `${WORKCELLS}/{workcell_id}/deck`,
    bodyLimit_bytes,
    body: 'DeckBody',
    reply: 'DeckReply',
    refusals: ['wrong_state'],
    summary: 'Corrects the deck, except for the labware of active runs',
  },
  {
    ...JSON_REPLY,
    timeout_s: PLANNING_BOUNDS.timeout_s,
    id: 'planWorkflow',
    method: 'POST',
    path: `${WORKFLOWS}/{workflow_id}/plan`,
    reply: 'PlanReply',
    refusals: ['invalid_arguments'],
    summary: 'Plans a workflow without running it',
  },
  {
    ...JSON_REPLY,
    timeout_s: PLANNING_BOUNDS.timeout_s,
    id: 'getRobustness',
    method: 'GET',
    path: `${WORKFLOWS}/{workflow_id}/robustness`,
    query: {
      executions: { description: 'Number of executions; default 1000', minimum: 1, maximum: 10000 },
      scatter_percent: {
        description: 'Durations vary from 1 to 2 times this less or more; default 20',
        minimum: 0,
        maximum: 50,
      },
      seed: { description: 'Default 1', minimum: 0, maximum: 4294967295 },
    },
    reply: 'RobustnessReply',
    refusals: ['invalid_arguments'],
    summary: 'Executes a plan many times with scattered durations: how often each limit holds',
  },
] as const satisfies readonly RouteRow[];
