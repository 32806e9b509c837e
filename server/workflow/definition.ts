/**
 * Checks a workflow definition and resolves its names to a model. Reports unknown ids, cycles,
 * missing stations, impossible slots and hooks without a type, each with a JSON pointer and a
 * message (D3, D42). Also: the times of moves in its transport matrix.
 */
import { limits } from '../../contract/limits.ts';
import type { WorkflowDefinition } from '../../contract/types.ts';
import {
  armTransportSetup,
  checkStations,
  slotFault,
  TRANSPORT_TYPE,
  transportOf,
} from './deck.ts';
import {
  type ChainParts,
  chainsOf,
  childPointer,
  DEFAULT_SLOT,
  type DefinitionError,
  DefinitionFindings,
  failureActionsOf,
  locationKey,
  type ModelInstrument,
  type ModelTask,
  narrowedCandidates,
  planningTargets,
  type ReadDefinition,
  type ReadTask,
  readDefinition,
  usesOf,
  type WorkflowModel,
} from './model.ts';
import { topological } from './plan/operations.ts';
import type { PlanLabware, SlotLocation } from './plan/problem.ts';

export interface CheckedDefinition {
  readonly errors: readonly DefinitionError[];
  readonly warnings: readonly string[];
  /** Null if there are errors. */
  readonly model: WorkflowModel | null;
  /** The document without unknown keys; null if there are errors. */
  readonly definition: WorkflowDefinition | null;
}

const ALL = 'ALL';

function uniqueIndex(
  findings: DefinitionFindings,
  list: readonly { readonly id: string }[],
  path: string,
): Map<string, number> {
  const index = new Map<string, number>();
  list.forEach(({ id }, i) => {
    if (index.has(id)) findings.add(`${childPointer(path, i)}/id`, `${id} is used twice`);
    else index.set(id, index.size);
  });
  return index;
}

function instrumentsOf({ workcell }: WorkflowDefinition): ModelInstrument[] {
  return (workcell.instruments ?? [])
    .filter(({ type }) => type !== TRANSPORT_TYPE)
    .map((one) => ({
      id: one.id,
      type: one.type,
      bench: one.bench ?? '',
      capacity: one.capacity ?? 1,
      slotless: one.is_slotless_container ?? false,
      mappings: one.mappings ?? [ALL],
    }));
}

function startLocationsOf(
  findings: DefinitionFindings,
  { workflow }: WorkflowDefinition,
  { instruments, held }: { instruments: readonly ModelInstrument[]; held: string | null },
): SlotLocation[] {
  const taken = new Map<string, string>();
  return workflow.labware.map(({ id, starting_location: { instrument, slot } }, i) => {
    const path = `${childPointer('/workflow/labware', i)}/starting_location`;
    const index = instruments.findIndex((one) => one.id === instrument);
    if (index < 0) {
      findings.add(`${path}/instrument`, `there is no instrument ${instrument}`);
      return { instrument: 0, slot };
    }
    const fault = slotFault(instruments[index]!, slot);
    if (fault !== null) findings.add(`${path}/slot`, `is ${slot} for ${id}, but ${fault}`);
    if (id === held) return { instrument: index, slot };
    const key = `${instrument} slot ${slot}`;
    const other = taken.get(key);
    if (other !== undefined && !instruments[index]!.slotless) {
      findings.add(path, `${key} already holds ${other}`);
    }
    taken.set(key, id);
    return { instrument: index, slot };
  });
}

function candidatesOf(
  findings: DefinitionFindings,
  { task, path }: ReadTask,
  instruments: readonly ModelInstrument[],
): number[] {
  const { type, mappings = [] } = task.instrument;
  const fits = ({ mappings: own }: ModelInstrument) =>
    mappings.length === 0 ||
    mappings.includes(ALL) ||
    own.includes(ALL) ||
    mappings.some((name) => own.includes(name));
  const typed = instruments.filter((one) => one.type === type);
  mappings.forEach((name, i) => {
    if (name === ALL || typed.length === 0 || typed.some((one) => one.mappings.includes(name)))
      return;
    const at = childPointer(`${path}/instrument/mappings`, i);
    findings.warnings.push(`${at} names a mapping of no instrument of type ${type}: ${name}`);
  });
  const found = instruments.flatMap((one, i) => (one.type === type && fits(one) ? [i] : []));
  if (found.length === 0) {
    findings.add(`${path}/instrument`, `there is no instrument of type ${type} that fits`);
  }
  return found;
}

function dependenciesOf({ findings, taskIndex }: ChainParts, { task, needs, path }: ReadTask) {
  const lists = [
    { list: task.dependencies ?? [], at: `${path}/dependencies` },
    ...needs.map((need) => ({ list: need.dependencies ?? [], at: `${need.path}/dependencies` })),
  ];
  return lists.flatMap(({ list, at }) =>
    list.flatMap((id, i) => {
      const index = taskIndex.get(id);
      if (index === undefined) findings.add(childPointer(at, i), `there is no task ${id}`);
      return index === undefined ? [] : [index];
    }),
  );
}

/** The needs of a task whose pieces do not stand in its instrument from the start. */
function deliveries(
  { labwareIndex, locations }: ChainParts,
  { needs }: ReadTask,
  candidates: readonly number[],
): ReadTask['needs'] {
  return needs.filter(({ labware_id, source_task }) => {
    const start = locations[labwareIndex.get(labware_id) ?? -1];
    return source_task !== undefined || !start || !candidates.includes(start.instrument);
  });
}

/** Adds an error for each slot that a task names and its instrument does not have. */
function checkTaskSlots(
  parts: ChainParts,
  read: ReadTask,
  on: { readonly instruments: readonly ModelInstrument[]; readonly candidates: readonly number[] },
): void {
  const into = deliveries(parts, read, on.candidates).map(
    ({ labware_id, destination_slot: slot, path }) => {
      return { slot, labware_id, path: `${path}/destination_slot` };
    },
  );
  const out = read.outputs.map(({ labware_id, slot, destination_slot, path }) => {
    const field = slot === undefined ? 'destination_slot' : 'slot';
    return { slot: slot ?? destination_slot, labware_id, path: `${path}/${field}` };
  });
  for (const { slot, labware_id, path } of [...into, ...out]) {
    for (const index of slot === undefined ? [] : on.candidates) {
      const fault = slotFault(on.instruments[index]!, slot!);
      if (fault !== null) parts.findings.add(path, `is ${slot} for ${labware_id}, but ${fault}`);
    }
  }
}

/** Warns of instruments with several slots whose pieces all go to the default one. */
function warnOfDefaultSlots(
  parts: ChainParts,
  tasks: readonly { readonly candidates: readonly number[] }[],
  instruments: readonly ModelInstrument[],
): void {
  const needsOf = instruments.map((): ReadTask['needs'][number][] => []);
  tasks.forEach(({ candidates }, task) => {
    const needs = deliveries(parts, parts.tasks[task]!, candidates);
    for (const index of candidates) needsOf[index]!.push(...needs);
  });
  instruments.forEach(({ id, capacity, slotless }, index) => {
    const needs = needsOf[index]!;
    const pieces = new Set(needs.map(({ labware_id }) => labware_id));
    const isNamed = needs.some(({ destination_slot }) => destination_slot !== undefined);
    if (slotless || capacity === 1 || pieces.size < 2 || isNamed) return;
    parts.findings.warnings.push(
      `${id} has ${capacity} slots, but all ${pieces.size} pieces go to slot ${DEFAULT_SLOT}, ` +
        'the default; set their destination_slot',
    );
  });
}

/** Adds an error for each slot that one task needs for two pieces. */
function checkSharedSlots(
  { findings }: ChainParts,
  { needs }: ReadTask,
  on: { readonly instruments: readonly ModelInstrument[]; readonly candidates: readonly number[] },
): void {
  if (on.candidates.every((index) => on.instruments[index]!.slotless)) return;
  const holders = new Map<number, string>();
  for (const { type, labware_id, destination_slot = DEFAULT_SLOT, path: at } of needs) {
    if (type === 'stored_labware') continue;
    const other = holders.get(destination_slot);
    if (other !== undefined) {
      findings.add(`${at}/destination_slot`, `slot ${destination_slot} is needed for ${other}`);
    }
    holders.set(destination_slot, labware_id);
  }
}

/** Adds an error where a task takes stored labware from another slot than it starts in. */
function checkStoredSlots(
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

function taskOf(
  parts: ChainParts,
  instruments: readonly ModelInstrument[],
  read: ReadTask,
): ModelTask {
  const { task } = read;
  const { findings } = parts;
  const candidates = narrowedCandidates(parts, read, candidatesOf(findings, read, instruments));
  const uses = usesOf(parts, read, candidates);
  checkTaskSlots(parts, read, { instruments, candidates });
  checkSharedSlots(parts, read, { instruments, candidates });
  const { mock_behaviour: mock, available_failure_actions: actions } = task;
  const skip = task.skip ?? false;
  return {
    id: read.id,
    action: task.action,
    estimate_s: task.time_estimate,
    execution_s: mock?.execution_time ?? task.time_estimate,
    succeeds: mock?.success ?? true,
    skip,
    candidates: skip ? [] : candidates,
    after: dependenciesOf(parts, read),
    uses: skip ? [] : uses,
    failureActions: failureActionsOf(actions),
  };
}

function checkConstraints(parts: ChainParts, { workflow }: WorkflowDefinition): void {
  const { findings, taskIndex } = parts;
  uniqueIndex(findings, workflow.time_constraints ?? [], '/workflow/time_constraints');
  (workflow.time_constraints ?? []).forEach((one, i) => {
    const path = childPointer('/workflow/time_constraints', i);
    for (const key of ['start_task_id', 'end_task_id'] as const) {
      if (!taskIndex.has(one[key])) findings.add(`${path}/${key}`, `there is no task ${one[key]}`);
    }
    const { min_duration = 0, max_duration } = one;
    if (max_duration !== undefined && max_duration < min_duration) {
      findings.add(`${path}/max_duration`, `must be at least min_duration, ${min_duration} s`);
    }
  });
}

function checkCycles(
  findings: DefinitionFindings,
  tasks: readonly ModelTask[],
  chains: readonly number[][],
): void {
  const before = tasks.map(({ after }) => [...after]);
  for (const chain of chains) {
    for (let i = 1; i < chain.length; i++) before[chain[i]!]!.push(chain[i - 1]!);
  }
  const order = new Set(topological(before));
  const isLeft = (task: number) => !order.has(task);
  // Each task that is left waits for another one; what only follows a cycle is passed over.
  const path: number[] = [];
  let task = tasks.findIndex((_, t) => isLeft(t));
  if (task < 0) return;
  for (; !path.includes(task); task = before[task]!.find(isLeft)!) path.push(task);
  const names = path.slice(path.indexOf(task)).map((t) => tasks[t]!.id);
  findings.add('/workflow/tasks', `these wait for each other in a cycle: ${names.join(', ')}`);
}

/** The slots of instruments whose role is that of a buffer. */
function bufferSlots(
  { workcell }: WorkflowDefinition,
  indexOf: ReadonlyMap<string, number>,
): SlotLocation[] {
  return (workcell.instruments ?? []).flatMap(({ id, role, capacity = 1 }) => {
    const instrument = indexOf.get(id);
    if (role !== 'buffer' || instrument === undefined) return [];
    return Array.from({ length: capacity }, (_, i) => ({ instrument, slot: i + 1 }));
  });
}

function checkHooks(parts: ChainParts, { hooks }: ReadDefinition): void {
  for (const { task_ids = [], labware_ids = [] } of hooks) {
    for (const id of task_ids) {
      if (!parts.taskIndex.has(id)) parts.findings.warnings.push(`A hook names no task: ${id}`);
    }
    for (const id of labware_ids) {
      if (parts.labwareIndex.has(id)) continue;
      parts.findings.warnings.push(`A hook names no labware: ${id}`);
    }
  }
}

/**
 * The transport matrix of a workcell: how long a move takes where no arm makes it. A path names
 * instruments or benches; of several that fit, the one that names instruments counts.
 */

const PATHS = '/workcell/transport_matrix/paths';

type MoveTimes = Pick<WorkflowModel, 'default_move_s' | 'pathTimes_s'>;
type Path = NonNullable<
  NonNullable<WorkflowDefinition['workcell']['transport_matrix']>['paths']
>[number];

/** Names may contain any character but this one between them. */
function pathKey(source: string, destination: string): string {
  return `${source}\n${destination}`;
}

function checkPaths(
  findings: DefinitionFindings,
  paths: readonly Path[],
  instruments: readonly ModelInstrument[],
): void {
  const known = new Set(instruments.flatMap(({ id, bench }) => [id, bench]));
  const first = new Map<string, number>();
  const warnings = paths.flatMap((path, i) => {
    const at = childPointer(PATHS, i);
    const unknown = (['source', 'destination'] as const)
      .filter((end) => !known.has(path[end]))
      .map((end) => `${at}/${end} names no instrument and no bench: ${path[end]}`);
    const key = pathKey(path.source, path.destination);
    const before = first.get(key);
    if (before === undefined) first.set(key, i);
    const again = `${at} repeats ${childPointer(PATHS, before ?? 0)} and replaces its time`;
    return before === undefined ? unknown : [...unknown, again];
  });
  findings.warnings.push(...warnings.slice(0, limits.reported_problems));
}

/** Reads the transport matrix of a definition; warns of what has no effect and of moves of 0 s. */
function readMoveTimes(
  findings: DefinitionFindings,
  { workcell: { transport_matrix: matrix } }: WorkflowDefinition,
  on: { readonly instruments: readonly ModelInstrument[]; readonly hasArm: boolean },
): MoveTimes {
  const paths = matrix?.paths ?? [];
  checkPaths(findings, paths, on.instruments);
  if (matrix?.default === undefined && !on.hasArm) {
    const which = paths.length > 0 ? 'moves without a path' : 'moves';
    const advice = 'set /workcell/transport_matrix/default';
    findings.warnings.push(`The transport matrix has no default: ${which} take 0 s; ${advice}`);
  }
  const times = paths.map((one) => [pathKey(one.source, one.destination), one.time] as const);
  return { default_move_s: matrix?.default ?? 0, pathTimes_s: new Map(times) };
}

/** Returns the time of a move by the transport matrix (s). */
export function matrixTime_s(
  { instruments, pathTimes_s, default_move_s }: WorkflowModel,
  from: SlotLocation,
  to: SlotLocation,
): number {
  if (pathTimes_s.size === 0) return default_move_s;
  const source = instruments[from.instrument]!;
  const destination = instruments[to.instrument]!;
  return (
    pathTimes_s.get(pathKey(source.id, destination.id)) ??
    pathTimes_s.get(pathKey(source.id, destination.bench)) ??
    pathTimes_s.get(pathKey(source.bench, destination.id)) ??
    pathTimes_s.get(pathKey(source.bench, destination.bench)) ??
    default_move_s
  );
}

function modelOf(
  findings: DefinitionFindings,
  read: ReadDefinition,
  deck: { readonly held: string | null } | null,
): WorkflowModel {
  const { definition, tasks: readTasks, hooks } = read;
  const { workflow, workcell, name } = definition;
  uniqueIndex(findings, workcell.instruments ?? [], '/workcell/instruments');
  const instruments = instrumentsOf(definition);
  const instrumentIndex = new Map(instruments.map(({ id }, i) => [id, i]));
  const labwareIndex = uniqueIndex(findings, workflow.labware, '/workflow/labware');
  const taskIndex = new Map(readTasks.map(({ id }, i) => [id, i]));
  const locations = startLocationsOf(findings, definition, {
    instruments,
    held: deck?.held ?? null,
  });
  if (deck === null) checkStoredSlots(findings, read);
  const parts: ChainParts = { findings, tasks: readTasks, taskIndex, labwareIndex, locations };
  const tasks = readTasks.map((one) => taskOf(parts, instruments, one));
  const chains = chainsOf(parts);
  const labware = workflow.labware.map(
    ({ id }, l): PlanLabware => ({
      id,
      location: locations[l]!,
      tasks: (chains[l] ?? []).filter((task) => !tasks[task]!.skip),
    }),
  );
  checkConstraints(parts, definition);
  checkCycles(findings, tasks, chains);
  checkHooks(parts, read);
  warnOfDefaultSlots(parts, tasks, instruments);
  const transport = transportOf(findings, workcell.instruments ?? []);
  const arm = transport && armTransportSetup(findings, transport, instrumentIndex);
  if (arm && findings.errors.length === 0) {
    checkStations(findings, { arm, instruments }, { labware, tasks });
  }
  const buffers = bufferSlots(definition, instrumentIndex).filter(
    (location) => !arm || arm.stations.has(locationKey(location)),
  );
  return {
    name,
    instruments,
    tasks,
    labware,
    constraints: workflow.time_constraints ?? [],
    hooks,
    buffers,
    arm,
    ...planningTargets(findings, definition),
    ...readMoveTimes(findings, definition, { instruments, hasArm: arm !== null }),
  };
}

/** Checks a document as a definition; with `deck` it starts from a deck (`held`: the gripper). */
export function checkDefinition(
  document: unknown,
  deck: { readonly held: string | null } | null = null,
): CheckedDefinition {
  const findings = new DefinitionFindings();
  const read = readDefinition(findings, document);
  const readable = read !== null && findings.errors.length === 0;
  const model = readable ? modelOf(findings, read, deck) : null;
  const { errors, warnings } = findings;
  const isValid = errors.length === 0;
  return {
    errors,
    warnings,
    model: isValid ? model : null,
    definition: isValid && read ? read.definition : null,
  };
}
