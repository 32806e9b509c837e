/**
 * The workflow model: a checked definition with names resolved to indices and defaults filled in.
 * Planner, runs and replies use it; the stored definition keeps the wire format. Also: the task
 * chain of each piece of labware.
 */
import type {
  Hook,
  TransportConfig,
  WorkflowTask,
  WorkflowTimeConstraint,
} from '../../contract/types.ts';
import type { DefinitionFindings, ReadDefinition, ReadTask } from './definition-reader.ts';
import type {
  LabwareUse,
  PlanInstrument,
  PlanLabware,
  PlanTask,
  SlotLocation,
} from './plan/problem.ts';

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
  /** Move times between benches (s), by `source destination`. */
  readonly benchTimes_s: ReadonlyMap<string, number>;
}

/** Returns a map key for a location. */
export function locationKey({ instrument, slot }: SlotLocation): string {
  return `${instrument}/${slot}`;
}

/** Returns the time of a move by the transport matrix (s). */
export function matrixTime_s(model: WorkflowModel, from: SlotLocation, to: SlotLocation): number {
  const source = model.instruments[from.instrument]!.bench;
  const destination = model.instruments[to.instrument]!.bench;
  return model.benchTimes_s.get(`${source} ${destination}`) ?? model.default_move_s;
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

function slotOf(need: Need, location: SlotLocation, candidates: readonly number[]): number {
  const stored = need.source_task === undefined && candidates.includes(location.instrument);
  return stored ? location.slot : (need.destination_slot ?? 1);
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

/** Adds an error for each slot that one task needs for two pieces. */
export function checkSharedSlots(
  { findings }: ChainParts,
  { needs }: ReadTask,
  on: { readonly instruments: readonly ModelInstrument[]; readonly candidates: readonly number[] },
): void {
  if (on.candidates.every((index) => on.instruments[index]!.slotless)) return;
  const holders = new Map<number, string>();
  for (const { type, labware_id, destination_slot = 1, path: at } of needs) {
    if (type === 'stored_labware') continue;
    const other = holders.get(destination_slot);
    if (other !== undefined) {
      findings.add(`${at}/destination_slot`, `slot ${destination_slot} is needed for ${other}`);
    }
    holders.set(destination_slot, labware_id);
  }
}

/** Adds an error where a task takes stored labware from another slot than it starts in. */
export function checkStoredSlots(
  findings: DefinitionFindings,
  { definition, tasks }: ReadDefinition,
): void {
  const starts = new Map(
    definition.workflow.labware.map(({ id, starting_location }) => [id, starting_location]),
  );
  for (const { type, labware_id, slot, path } of tasks.flatMap(({ needs }) => needs)) {
    const start = starts.get(labware_id);
    if (type !== 'stored_labware' || slot === undefined || !start || slot === start.slot) continue;
    const place = `${start.instrument} slot ${start.slot}`;
    findings.add(`${path}/slot`, `is ${slot}, but ${labware_id} starts in ${place}`);
  }
}
