/**
 * Reads a definition by its schemas, part by part: tasks, needs and hooks stand in maps or arrays
 * of free objects, so that unknown keys can warn instead of failing (decision D3).
 */
import { hookHeaderFaults } from '../../contract/hook-headers.ts';
import { hookTypeOf } from '../../contract/hook-types.ts';
import { limits } from '../../contract/limits.ts';
import type {
  Hook,
  LabwareNeed,
  LabwareOutput,
  WorkflowDefinition,
  WorkflowTask,
} from '../../contract/types.ts';
import { below, type Findings } from './findings.ts';

export interface ReadTask {
  readonly id: string;
  readonly path: string;
  readonly task: WorkflowTask;
  readonly needs: readonly (LabwareNeed & { readonly path: string })[];
  readonly outputs: readonly (LabwareOutput & { readonly path: string })[];
}

export interface ReadDefinition {
  readonly definition: WorkflowDefinition;
  readonly tasks: readonly ReadTask[];
  readonly hooks: readonly Hook[];
}

function membersOf(value: unknown, path: string): { value: unknown; path: string }[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).map(([key, member]) => ({
    value: member as unknown,
    path: below(path, key),
  }));
}

function withoutNulls(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function readTask(findings: Findings, id: string, value: unknown): ReadTask | null {
  const path = below('/workflow/tasks', id);
  const task = findings.read('WorkflowTask', withoutNulls(value), path);
  if (!task) return null;
  if (task.id !== undefined && task.id !== id) {
    findings.add(`${path}/id`, `must be ${id}, the key under which the task stands`);
  }
  const needs = membersOf(task.labware_sources, `${path}/labware_sources`).flatMap((member) => {
    const need = findings.read('LabwareNeed', member.value, member.path);
    return need ? [{ ...need, path: member.path }] : [];
  });
  const outputs = membersOf(task.labware_outputs, `${path}/labware_outputs`).flatMap((member) => {
    const output = findings.read('LabwareOutput', member.value, member.path);
    return output ? [{ ...output, path: member.path }] : [];
  });
  return { id, path, task, needs, outputs };
}

function readHook(findings: Findings, value: unknown, path: string): Hook | null {
  const hook = findings.read('Hook', withoutNulls(value), path);
  if (!hook) return null;
  if (hookTypeOf(hook) === null) {
    findings.add(
      path,
      'does not tell which hook it is: say `type` (e.g. RunStateChangeHook), or `filter`',
    );
  }
  if (!URL.canParse(hook.parameters.url)) {
    findings.add(`${path}/parameters/url`, 'must be an absolute http or https address');
  } else {
    const { protocol, username, password } = new URL(hook.parameters.url);
    const isHttp = protocol === 'http:' || protocol === 'https:';
    if (!isHttp) findings.add(`${path}/parameters/url`, 'must be an http or https address');
    if (username || password) {
      findings.add(`${path}/parameters/url`, 'must not hold a user name or password');
    }
  }
  for (const [name, fault] of hookHeaderFaults(hook.parameters.headers)) {
    findings.add(below(`${path}/parameters/headers`, name), fault);
  }
  const { type, ...untyped } = hook;
  const hinted = hookTypeOf(untyped);
  if (type !== undefined && hinted !== null && hinted !== type) {
    findings.warnings.push(`${path} is a ${type}; what makes it a ${hinted} is ignored`);
  }
  return hook;
}

/** Parts of a definition that other schedulers heed and this one does not. */
const WITHOUT_EFFECT = {
  '': ['options', 'run_instructions', 'scheduler_config', 'parameter_definitions'],
  '/workflow': ['instrument_blocks', 'batches', 'planning_targets'],
} as const;

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function warnOfIdleParts(findings: Findings, definition: WorkflowDefinition): void {
  for (const key of WITHOUT_EFFECT['']) {
    if (!isEmpty(definition[key])) findings.warnings.push(`/${key} is kept and has no effect`);
  }
  for (const key of WITHOUT_EFFECT['/workflow']) {
    if (isEmpty(definition.workflow[key])) continue;
    findings.warnings.push(`/workflow/${key} is kept and has no effect`);
  }
}

/** The parts of a definition, or null where it has not even their shape. */
export function readDefinition(findings: Findings, document: unknown): ReadDefinition | null {
  const definition = findings.read('WorkflowDefinition', document, '');
  if (!definition) return null;
  warnOfIdleParts(findings, definition);
  const count = Object.keys(definition.workflow.tasks).length;
  if (count > limits.workflow_tasks) {
    findings.add('/workflow/tasks', `are ${count}; at most ${limits.workflow_tasks} are planned`);
    return null;
  }
  const tasks = Object.entries(definition.workflow.tasks).flatMap(([id, value]) => {
    const task = readTask(findings, id, value);
    return task ? [task] : [];
  });
  const lists = [
    [definition.workflow.hooks ?? [], '/workflow/hooks'],
    [definition.hooks ?? [], '/hooks'],
  ] as const;
  const hooks = lists.flatMap(([list, path]) =>
    list.flatMap((value, i) => readHook(findings, value, below(path, i)) ?? []),
  );
  return { definition, tasks, hooks };
}
