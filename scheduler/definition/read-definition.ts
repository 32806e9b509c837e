/**
 * Reads a workflow definition part by part with its schemas. Tasks, needs and hooks are read one
 * by one, so that unknown keys warn instead of failing (D3).
 */

import { hookHeaderProblems } from '../../contract/hook-headers.ts';
import { hookTypeOf } from '../../contract/hooks/hook-types.ts';
import { limits } from '../../contract/limits.ts';
import type {
  Hook,
  LabwareNeed,
  LabwareOutput,
  WorkflowDefinition,
  WorkflowTask,
} from '../../contract/types.generated.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';

export interface ReadTask {
  readonly id: string;
  readonly path: string;
  readonly task: WorkflowTask;
  /** The pieces that it works on. */
  readonly needs: readonly (LabwareNeed & { readonly path: string })[];
  /** What it takes units of where it stands. */
  readonly consumables: readonly (LabwareNeed & { readonly path: string })[];
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
    path: childPointer(path, key),
  }));
}

function withoutNulls(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function readTask(findings: DefinitionFindings, id: string, value: unknown): ReadTask | null {
  const path = childPointer('/workflow/tasks', id);
  const task = findings.read('WorkflowTask', withoutNulls(value), path);
  if (!task) return null;
  if (task.id !== undefined && task.id !== id) {
    findings.add(`${path}/id`, `must be ${id}, the key of the task`);
  }
  const all = membersOf(task.labware_sources, `${path}/labware_sources`).flatMap((member) => {
    const need = findings.read('LabwareNeed', member.value, member.path);
    return need ? [{ ...need, path: member.path }] : [];
  });
  const outputs = membersOf(task.labware_outputs, `${path}/labware_outputs`).flatMap((member) => {
    const output = findings.read('LabwareOutput', member.value, member.path);
    return output ? [{ ...output, path: member.path }] : [];
  });
  const needs = all.filter(({ type }) => type !== 'consumable');
  const consumables = all.filter(({ type }) => type === 'consumable');
  return { id, path, task, needs, consumables, outputs };
}

/** Says what is wrong with a text that is no URL. */
function urlFault(url: string): string {
  const isHttp = /^https?:\/\//i.test(url);
  if (!isHttp) return 'must be an absolute http or https URL';
  const port = Number(/:(\d+)(?=[/?#]|$)/.exec(url.replace(/^https?:/i, ''))?.[1] ?? 0);
  if (port > 65_535) return `has the port ${port}; the last port is 65535`;
  return 'is no valid URL; check its host and port';
}

function readHook(findings: DefinitionFindings, value: unknown, path: string): Hook | null {
  const hook = findings.read('Hook', withoutNulls(value), path);
  if (!hook) return null;
  if (hookTypeOf(hook) === null) {
    findings.add(path, 'has no hook type; set `type` (e.g. RunStateChangeHook) or `filter`');
  }
  if (!URL.canParse(hook.parameters.url)) {
    findings.add(`${path}/parameters/url`, urlFault(hook.parameters.url));
  } else {
    const { protocol, username, password } = new URL(hook.parameters.url);
    const isHttp = protocol === 'http:' || protocol === 'https:';
    if (!isHttp) findings.add(`${path}/parameters/url`, 'must be an http or https URL');
    if (username || password) {
      findings.add(`${path}/parameters/url`, 'must not contain a user name or password');
    }
  }
  for (const [name, fault] of hookHeaderProblems(hook.parameters.headers)) {
    findings.add(childPointer(`${path}/parameters/headers`, name), fault);
  }
  const { type, ...untyped } = hook;
  const hinted = hookTypeOf(untyped);
  if (type !== undefined && hinted !== null && hinted !== type) {
    findings.warnings.push(`${path} is a ${type}; what makes it a ${hinted} is ignored`);
  }
  return hook;
}

/** Parts of a definition that other schedulers use and this one ignores. */
const WITHOUT_EFFECT = {
  '': ['run_instructions', 'scheduler_config', 'parameter_definitions'],
  '/workflow': ['instrument_blocks'],
} as const;

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function warnOfUnusedParts(findings: DefinitionFindings, definition: WorkflowDefinition): void {
  for (const key of WITHOUT_EFFECT['']) {
    if (!isEmpty(definition[key])) findings.warnings.push(`/${key} is kept and has no effect`);
  }
  for (const key of WITHOUT_EFFECT['/workflow']) {
    if (isEmpty(definition.workflow[key])) continue;
    findings.warnings.push(`/workflow/${key} is kept and has no effect`);
  }
}

/** Reads the parts of a definition; returns null if its structure is invalid. */
export function readDefinition(
  findings: DefinitionFindings,
  document: unknown,
): ReadDefinition | null {
  const definition = findings.read('WorkflowDefinition', document, '');
  if (!definition) return null;
  warnOfUnusedParts(findings, definition);
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
    list.flatMap((value, i) => readHook(findings, value, childPointer(path, i)) ?? []),
  );
  return { definition, tasks, hooks };
}
