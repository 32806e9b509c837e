/**
 * Reads a workflow definition part by part with its schemas and collects errors and warnings.
 * Tasks, needs and hooks are read one by one, so that unknown keys warn instead of failing (D3).
 */
import { hookHeaderProblems, hookTypeOf } from '../../contract/hooks.ts';
import { limits } from '../../contract/limits.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import { pointerSegment } from '../../contract/schemas.ts';
import type {
  Hook,
  LabwareNeed,
  LabwareOutput,
  SchemaTypes,
  WorkcellBody,
  WorkflowDefinition,
  WorkflowTask,
} from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';

/** One error of a definition. */
export interface DefinitionError {
  /** JSON pointer into the definition. */
  readonly path: string;
  readonly message: string;
}

/** The errors and warnings of a definition check. */
export class DefinitionFindings {
  readonly errors: DefinitionError[] = [];
  readonly warnings: string[] = [];

  /** Adds an error, up to the limit of reported problems. */
  add(path: string, message: string): void {
    if (this.errors.length < limits.reported_problems) this.errors.push({ path, message });
  }

  /** Validates a part: unknown keys warn, null counts as absent; returns null if invalid. */
  read<Id extends SchemaId>(id: Id, value: unknown, path: string): SchemaTypes[Id] | null {
    const result = validate(id, value, { dialect: 'fielded' });
    if (!result.ok) {
      for (const { path: inner, problem } of result.error) this.add(path + inner, problem);
      return null;
    }
    for (const key of result.value.ignored) {
      this.warnings.push(`${path}${key} is not a known key and is ignored`);
    }
    return result.value.value;
  }
}

/** Returns the JSON pointer of a member. */
export function childPointer(path: string, key: string | number): string {
  return path + pointerSegment(String(key));
}

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

function readHook(findings: DefinitionFindings, value: unknown, path: string): Hook | null {
  const hook = findings.read('Hook', withoutNulls(value), path);
  if (!hook) return null;
  if (hookTypeOf(hook) === null) {
    findings.add(path, 'has no hook type; set `type` (e.g. RunStateChangeHook) or `filter`');
  }
  if (!URL.canParse(hook.parameters.url)) {
    findings.add(`${path}/parameters/url`, 'must be an absolute http or https URL');
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

function isEmpty(value: unknown): boolean {
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

const DEFAULT_SEED = 1;

/** Reads `options`; any but `seed` is refused, because it would have no effect. */
function seedOf(findings: DefinitionFindings, { options }: WorkflowDefinition): number {
  if (isEmpty(options)) return DEFAULT_SEED;
  for (const key of typeof options === 'object' ? Object.keys(options!) : ['']) {
    if (key === 'seed') continue;
    findings.add(childPointer('/options', key), 'is not supported; remove it');
  }
  const seed: unknown = Reflect.get(Object(options), 'seed');
  if (Number.isSafeInteger(seed) && (seed as number) >= 0) return seed as number;
  if (seed !== undefined) findings.add('/options/seed', 'must be a whole number, 0 or more');
  return DEFAULT_SEED;
}

/**
 * Reads `batches` and `planning_targets`: the pieces of each batch in order where the target is
 * `batches`; empty for the target `makespan`.
 */
function batchesOf(
  findings: DefinitionFindings,
  { workflow }: WorkflowDefinition,
): readonly (readonly number[])[] {
  const { labware } = workflow;
  const [count, target]: unknown[] = [workflow.batches, workflow.planning_targets];
  const numbers = [...new Set(labware.map(({ batch }) => batch ?? 1))].sort((a, b) => a - b);
  if (!isEmpty(count) && count !== numbers.length) {
    const found = `the labware names ${numbers.length}`;
    findings.add('/workflow/batches', `must be the number of batches; ${found}`);
  }
  if (isEmpty(target) || target === 'makespan') return [];
  if (target !== 'batches') {
    findings.add('/workflow/planning_targets', 'must be "makespan" or "batches"');
    return [];
  }
  return numbers.map((number) =>
    labware.flatMap(({ batch }, piece) => ((batch ?? 1) === number ? [piece] : [])),
  );
}

/** Reads what a definition says about its planning. */
export function planningTargets(
  findings: DefinitionFindings,
  definition: WorkflowDefinition,
): { readonly seed: number; readonly batches: readonly (readonly number[])[] } {
  return { seed: seedOf(findings, definition), batches: batchesOf(findings, definition) };
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

/** The name of the workcell whose instruments a definition uses; null if it has its own. */
export function namedWorkcell(document: unknown): string | null {
  const { workcell } = (document ?? {}) as { readonly workcell?: unknown };
  const { workcell_id: name, instruments } = (workcell ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && instruments === undefined ? name : null;
}

/** A definition with the instruments of the workcell that it names. */
export function withWorkcell(document: unknown, found: WorkcellBody): object {
  const { instruments, transport_matrix } = found;
  const { workcell } = document as { readonly workcell: object };
  return { ...(document as object), workcell: { ...workcell, instruments, transport_matrix } };
}

/** The error of a definition that names an unknown workcell. */
export function unknownWorkcell(name: string): DefinitionError {
  const message = `names no workcell of yours: ${name}; create it or send its instruments`;
  return { path: '/workcell/workcell_id', message };
}
