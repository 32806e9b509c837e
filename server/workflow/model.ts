/**
 * The workflow model: a checked definition with names resolved to indices and defaults filled in.
 * Planner, runs and replies use it; the stored definition keeps the wire format. Also: the task
 * chain of each piece of labware, and how a definition is read.
 */

import { limits } from '../../contract/limits.ts';
import { pointerSegment, type SchemaId } from '../../contract/schemas.ts';
import type {
  Hook,
  LabwareNeed,
  LabwareOutput,
  SchemaTypes,
  TransportConfig,
  WorkcellBody,
  WorkflowDefinition,
  WorkflowTask,
  WorkflowTimeConstraint,
} from '../../contract/types.ts';
import { hookHeaderProblems, hookTypeOf, validate } from '../../contract/validator.ts';
import type {
  LabwareUse,
  PlanInstrument,
  PlanLabware,
  PlanTask,
  SlotLocation,
} from './plan/problem.ts';

/**
 * Reads a workflow definition part by part with its schemas and collects errors and warnings.
 * Tasks, needs and hooks are read one by one, so that unknown keys warn instead of failing (D3).
 */

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

export interface ModelInstrument extends PlanInstrument {
  readonly type: string;
  readonly bench: string;
  readonly mappings: readonly string[];
}

/** Operator actions that are allowed after a task has failed. */
export interface FailureActions {
  readonly retry: boolean;
  /** The operator did the task by hand: it has succeeded. */
  readonly complete: boolean;
  /** The failure is ignored: the task is not done. */
  readonly skip: boolean;
  /** Whether any of them is offered. */
  readonly isOffered: boolean;
  /** Infinity for no limit. */
  readonly max_retries: number;
}

export interface ModelTask extends Omit<PlanTask, 'duration_s'> {
  readonly action: string;
  /** Time that the plan allows (s). */
  readonly estimate_s: number;
  /** Time that the simulated instrument takes (s). */
  readonly execution_s: number;
  readonly succeeds: boolean;
  readonly skip: boolean;
  /** How another run has ended the task; absent for a task of this run. */
  readonly ended?: 'succeeded' | 'completed_manually' | 'skipped';
  readonly failureActions: FailureActions;
}

/** Joint poses of the arm for one slot (rad). */
export interface ArmStation {
  readonly approach: readonly number[];
  readonly grip: readonly number[];
}

/** Configuration of labware transport by the twin's own arm. */
export interface ArmTransportSetup {
  readonly config: TransportConfig;
  /** Poses by `locationKey`. */
  readonly stations: ReadonlyMap<string, ArmStation>;
}

export interface WorkflowModel {
  readonly name: string;
  /** All instruments except those of type transport. */
  readonly instruments: readonly ModelInstrument[];
  readonly tasks: readonly ModelTask[];
  readonly labware: readonly PlanLabware[];
  readonly constraints: readonly WorkflowTimeConstraint[];
  readonly hooks: readonly Hook[];
  /** Slots into which the planner may put labware aside. */
  readonly buffers: readonly SlotLocation[];
  /** Null if moves are timed by the transport matrix only. */
  readonly arm: ArmTransportSetup | null;
  /** The pieces of each batch in order, where batches are to end in their order; else empty. */
  readonly batches: readonly (readonly number[])[];
  /** The seed of plans where a call gives none. */
  readonly seed: number;
  readonly default_move_s: number;
  /** Move times by the names of instruments and benches (s). */
  readonly pathTimes_s: ReadonlyMap<string, number>;
}

/** Returns a map key for a location. */
export function locationKey({ instrument, slot }: SlotLocation): string {
  return `${instrument}/${slot}`;
}

/** Returns the failure actions of a task: retry and manual completion unless it says otherwise. */
export function failureActionsOf(
  given?: WorkflowTask['available_failure_actions'],
): FailureActions {
  const { retry = true, complete_manually: complete = true, ignore: skip = false } = given ?? {};
  const max_retries = given?.max_retries ?? Number.POSITIVE_INFINITY;
  return { retry, complete, skip, isOffered: retry || complete || skip, max_retries };
}

/**
 * Builds the task chain of each piece of labware: each need takes the piece from its start location
 * or from the previous task. Branches and gaps are errors of the definition.
 */

type Need = ReadTask['needs'][number];

interface ChainStep {
  readonly task: number;
  readonly need: Need;
}

export interface ChainParts {
  readonly findings: DefinitionFindings;
  readonly tasks: readonly ReadTask[];
  readonly taskIndex: ReadonlyMap<string, number>;
  readonly labwareIndex: ReadonlyMap<string, number>;
  readonly locations: readonly SlotLocation[];
}

function stepsOf({ tasks, labwareIndex, findings }: ChainParts): ChainStep[][] {
  const steps: ChainStep[][] = Array.from(labwareIndex, () => []);
  tasks.forEach(({ needs }, task) => {
    const seen = new Set<string>();
    for (const need of needs) {
      const labware = labwareIndex.get(need.labware_id);
      if (labware === undefined) {
        findings.add(`${need.path}/labware_id`, `there is no labware ${need.labware_id}`);
      } else if (seen.has(need.labware_id)) {
        findings.add(`${need.path}/labware_id`, `${need.labware_id} is already taken by this task`);
      } else steps[labware]!.push({ task, need });
      seen.add(need.labware_id);
    }
  });
  return steps;
}

/** Returns why a need cannot take its labware from its `source_task`, or null. */
function sourceProblem(parts: ChainParts, steps: readonly ChainStep[], { need, task }: ChainStep) {
  const source = parts.taskIndex.get(need.source_task!);
  if (source === undefined) return `there is no task ${need.source_task}`;
  if (source === task) return 'a task cannot take labware from itself';
  if (steps.some((step) => step.task === source)) return null;
  return `task ${need.source_task} has no ${need.labware_id}`;
}

/** Sorts the steps of one piece into its chain. */
function ordered(parts: ChainParts, steps: readonly ChainStep[]): ChainStep[] {
  const { findings, taskIndex, tasks } = parts;
  const first = steps.filter(({ need }) => need.source_task === undefined);
  for (const { need } of first.slice(1)) {
    const advice = 'name the previous task as source_task';
    const message = `${need.labware_id} is taken from its store twice; ${advice}`;
    findings.add(need.path, message);
  }
  const nextOf = new Map<number, ChainStep>();
  for (const step of steps) {
    if (step.need.source_task === undefined) continue;
    const fault = sourceProblem(parts, steps, step);
    const source = taskIndex.get(step.need.source_task);
    if (fault) findings.add(`${step.need.path}/source_task`, fault);
    else if (nextOf.has(source!)) {
      const other = tasks[nextOf.get(source!)!.task]!.id;
      const { labware_id, source_task } = step.need;
      const message = `task ${other} already takes ${labware_id} from ${source_task}`;
      findings.add(`${step.need.path}/source_task`, message);
    } else nextOf.set(source!, step);
  }
  if (first.length === 0 && steps.length > 0) {
    findings.add(steps[0]!.need.path, `no task takes ${steps[0]!.need.labware_id} from its store`);
  }
  const chain: ChainStep[] = [];
  for (let step = first[0]; step && !chain.includes(step); step = nextOf.get(step.task)) {
    chain.push(step);
  }
  return chain;
}

/** Returns the chain of each piece as task indices. */
export function chainsOf(parts: ChainParts): number[][] {
  return stepsOf(parts).map((steps) => ordered(parts, steps).map(({ task }) => task));
}

/** Returns the labware uses of one task, with the slots before and after. */
export function usesOf(
  { findings, labwareIndex, locations }: ChainParts,
  { needs, outputs }: ReadTask,
  candidates: readonly number[],
): LabwareUse[] {
  for (const { path, labware_id } of outputs) {
    if (needs.some((need) => need.labware_id === labware_id)) continue;
    findings.add(path, `${labware_id} comes out of a task that it does not go into`);
  }
  return needs.flatMap((need) => {
    const labware = labwareIndex.get(need.labware_id);
    if (labware === undefined) return [];
    const slot = slotOf(need, locations[labware]!, candidates);
    const output = outputs.find(({ labware_id }) => labware_id === need.labware_id);
    return [{ labware, slot, slot_after: output?.slot ?? output?.destination_slot ?? slot }];
  });
}

/** The slot of a need that names none. */
export const DEFAULT_SLOT = 1;

function slotOf(need: Need, location: SlotLocation, candidates: readonly number[]): number {
  const stored = need.source_task === undefined && candidates.includes(location.instrument);
  return stored ? location.slot : (need.destination_slot ?? DEFAULT_SLOT);
}

/** Narrows the candidates to the instrument that already holds the task's stored labware. */
export function narrowedCandidates(
  { labwareIndex, locations }: ChainParts,
  { needs }: ReadTask,
  candidates: readonly number[],
): readonly number[] {
  for (const need of needs) {
    const labware = labwareIndex.get(need.labware_id);
    if (need.source_task !== undefined || labware === undefined) continue;
    const { instrument } = locations[labware]!;
    if (candidates.includes(instrument)) return [instrument];
  }
  return candidates;
}
