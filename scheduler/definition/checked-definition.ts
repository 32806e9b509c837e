/**
 * Checks a workflow definition and resolves its names to a model. Reports unknown ids, cycles,
 * missing stations, impossible slots and hooks without a type, each with a JSON pointer and a
 * message (D3, D42).
 */

import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { shiftOf, shiftStart_s } from '../plan/shifts.ts';
import { ANY_SLOT, locationKey, type SlotLocation } from '../plan/slot-location.ts';
import { topological } from '../plan/topological-order.ts';
import { balancedUses, checkBalance } from './balance.ts';
import { BARCODE, checkBarcodes, hasBarcode, readPiece } from './barcodes.ts';
import { childPointer, type DefinitionError, DefinitionFindings } from './definition-findings.ts';
import { placesOf, slotFault } from './instrument-slots.ts';
import {
  type ChainParts,
  chainsOf,
  narrowedCandidates,
  usesOf,
  withRoom,
} from './labware-chains.ts';
import { seedOf } from './plan-seed.ts';
import { type ReadDefinition, type ReadTask, readDefinition } from './read-definition.ts';
import {
  checkConsumableSlots,
  checkSupplies,
  consumablesOf,
  isConsumableSlot,
  type Supply,
  suppliesOf,
  takingsOf,
  withConsumables,
} from './supplies.ts';
import { askedOutputs, conditionsOf } from './task-condition.ts';
import { checkSharedSlots, checkStoredSlots, checkTaskSlots } from './task-slots.ts';
import {
  armTransportSetup,
  checkStations,
  TRANSPORT_TYPE,
  transportOf,
} from './transport-instrument.ts';
import { readMoveTimes } from './transport-matrix.ts';
import { warnOfSharedEnds, warnOfUnknownTypes, warnOfUnusedFields } from './unused-fields.ts';
import {
  failureActionsOf,
  failurePolicyOf,
  type ModelInstrument,
  type ModelLabware,
  type ModelTask,
  type WorkflowModel,
} from './workflow-model.ts';

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
      ...placesOf(one),
      ...(one.balance && { balance: one.balance }),
      ...(one.closed_while_running && { closed: true }),
      ...(one.cool_down_s && { cool_s: one.cool_down_s }),
      ...(one.warm_up_s && { warm_up_s: one.warm_up_s }),
      ...(one.shifts && { shifts: one.shifts.map(shiftOf) }),
      ...(one.data_outputs && { outputs: one.data_outputs }),
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

/** The candidates that have a shift which is long enough for a task. */
function inShifts(
  findings: DefinitionFindings,
  { task, path }: ReadTask,
  on: { readonly candidates: readonly number[]; readonly instruments: readonly ModelInstrument[] },
): readonly number[] {
  const { candidates, instruments } = on;
  const found = candidates.filter((one) => {
    const { shifts } = instruments[one]!;
    return !shifts || Number.isFinite(shiftStart_s(shifts, 0, task.time_estimate));
  });
  if (found.length > 0 || candidates.length === 0) return found;
  const { id } = instruments[candidates[0]!]!;
  findings.add(`${path}/time_estimate`, `is longer than every shift of ${id}`);
  return candidates;
}

function dependenciesOf({ findings, taskIndex }: ChainParts, read: ReadTask) {
  const { task, path } = read;
  const needs = [...read.needs, ...read.consumables];
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

/** What the tasks of a definition are made from. */
interface TaskParts {
  readonly instruments: readonly ModelInstrument[];
  readonly workflow: WorkflowDefinition['workflow'];
  readonly supplies: readonly Supply[];
  readonly placeOf: (id: string) => SlotLocation | undefined;
}

function taskOf(
  parts: ChainParts,
  { instruments, workflow, supplies, placeOf }: TaskParts,
  read: ReadTask,
): ModelTask {
  const { task } = read;
  const { findings } = parts;
  const fitting = narrowedCandidates(parts, read, candidatesOf(findings, read, instruments));
  const able = withConsumables(findings, read, { candidates: fitting, placeOf });
  const given = usesOf(parts, read, able);
  const roomy = withRoom(parts, read, { candidates: able, uses: given });
  const candidates = inShifts(findings, read, { candidates: roomy, instruments });
  const { locations } = parts;
  const uses = balancedUses(findings, read, { uses: given, candidates, instruments, locations });
  checkTaskSlots(parts, read, { instruments, candidates });
  checkSharedSlots(parts, read, { instruments, candidates });
  const { mock_behaviour: mock, available_failure_actions: actions } = task;
  const skip = task.skip ?? false;
  const failureActions = failureActionsOf(actions);
  const conditions = conditionsOf(findings, read, parts);
  const reads = readPiece(findings, read, uses);
  const takes = takingsOf(findings, read, supplies);
  checkConsumableSlots(findings, read, { task: { candidates, uses }, supplies, instruments });
  const deciders = conditions.map((one) => one.task);
  return {
    id: read.id,
    action: task.action,
    estimate_s: task.time_estimate,
    execution_s:
      mock?.execution_time ?? (task.prompt ? Number.POSITIVE_INFINITY : task.time_estimate),
    ...(task.prompt && { prompt: task.prompt }),
    time_out_s: (task.prompt && task.time_out_s) || Number.POSITIVE_INFINITY,
    succeeds: mock?.success ?? true,
    ...(mock?.data_outputs && { outputs: mock.data_outputs }),
    ...(conditions.length > 0 && { conditions }),
    ...(reads !== undefined && { reads }),
    ...(takes.length > 0 && { takes }),
    skip,
    candidates: skip ? [] : candidates,
    after: [...new Set([...dependenciesOf(parts, read), ...deciders])],
    uses: skip ? [] : uses,
    failureActions,
    onFailure: failurePolicyOf(failureActions, workflow.on_failure, task.on_failure),
  };
}

/** Warns of results that tasks depend on, and that nothing returns. */
function warnOfUnsaidOutputs(
  findings: DefinitionFindings,
  { tasks, instruments, labware }: Pick<WorkflowModel, 'tasks' | 'instruments' | 'labware'>,
): void {
  const asked = askedOutputs(tasks);
  tasks.forEach((task, index) => {
    const { id, outputs, candidates, prompt, reads } = task;
    const names = new Map(asked.get(index));
    if (reads !== undefined) names.set(BARCODE, `whether it is ${labware[reads]!.id}`);
    for (const [name, what] of names) {
      const isSaid = candidates.every((one) => instruments[one]!.outputs?.[name] !== undefined);
      const isPrinted = name === BARCODE && hasBarcode(labware, task);
      if (prompt !== undefined || outputs?.[name] !== undefined || isSaid || isPrinted) continue;
      findings.warnings.push(
        `${id} returns no ${name}, which decides on ${what}, and fails: give it ` +
          'mock_behaviour.data_outputs, or its instrument data_outputs',
      );
    }
  });
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

/** The slots of instruments of a role. */
function slotsOfRole(
  { workcell }: WorkflowDefinition,
  wanted: 'buffer' | 'reject',
  indexOf: ReadonlyMap<string, number>,
): SlotLocation[] {
  return (workcell.instruments ?? []).flatMap((one) => {
    const instrument = indexOf.get(one.id);
    if (one.role !== wanted || instrument === undefined) return [];
    return Array.from({ length: placesOf(one).slots }, (_, i) => ({ instrument, slot: i + 1 }));
  });
}

/** The instruments, those that pieces go to any slot of with the slots that the arm can serve. */
function withChoices(
  { instruments, tasks, supplies }: Pick<WorkflowModel, 'instruments' | 'tasks' | 'supplies'>,
  arm: WorkflowModel['arm'],
): ModelInstrument[] {
  const open = new Set(
    tasks.flatMap(({ candidates, uses }) =>
      uses.some(({ slot }) => slot === ANY_SLOT) ? candidates : [],
    ),
  );
  return instruments.map((one, instrument) => {
    if (!open.has(instrument) || one.slotless) return one;
    const slots = Array.from({ length: one.slots }, (_, i) => i + 1).filter(
      (slot) => !isConsumableSlot(supplies, { instrument, slot }),
    );
    const served = slots.filter((slot) => arm?.stations.has(locationKey({ instrument, slot })));
    return { ...one, choice: served.length > 0 ? served : slots };
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

function modelOf(
  findings: DefinitionFindings,
  read: ReadDefinition,
  deck: { readonly held: string | null } | null,
): WorkflowModel {
  const { definition, tasks: readTasks, hooks } = read;
  const { workflow, workcell, name } = definition;
  uniqueIndex(findings, workcell.instruments ?? [], '/workcell/instruments');
  const instruments = instrumentsOf(definition);
  checkBalance(findings, read, instruments);
  const instrumentIndex = new Map(instruments.map(({ id }, i) => [id, i]));
  uniqueIndex(findings, workflow.labware, '/workflow/labware');
  const consumables = consumablesOf(read);
  const carried = workflow.labware.filter(({ id }) => !consumables.has(id));
  const labwareIndex = new Map(carried.map(({ id }, i) => [id, i]));
  const taskIndex = new Map(readTasks.map(({ id }, i) => [id, i]));
  const starts = startLocationsOf(findings, definition, {
    instruments,
    held: deck?.held ?? null,
  });
  const places = new Map(workflow.labware.map(({ id }, i) => [id, starts[i]!]));
  const placeOf = (id: string) => places.get(id);
  const locations = carried.map(({ id }) => places.get(id)!);
  const supplies = suppliesOf(findings, read, (id) => places.get(id)!);
  if (deck === null) checkStoredSlots(findings, read);
  const named = { taskIndex, labwareIndex, instruments };
  const parts: ChainParts = { findings, tasks: readTasks, locations, ...named };
  const taskParts = { instruments, workflow, supplies, placeOf };
  const tasks = readTasks.map((one) => taskOf(parts, taskParts, one));
  const chains = chainsOf(parts);
  const labware = carried.map(
    ({ id, barcode }, l): ModelLabware => ({
      id,
      ...(barcode !== undefined && { barcode }),
      location: locations[l]!,
      tasks: (chains[l] ?? []).filter((task) => !tasks[task]!.skip),
    }),
  );
  checkConstraints(parts, definition);
  checkCycles(findings, tasks, chains);
  checkHooks(parts, read);
  checkBarcodes(findings, read);
  checkSupplies(findings, definition, { tasks, supplies });
  warnOfUnsaidOutputs(findings, { tasks, instruments, labware });
  warnOfUnusedFields(findings, read);
  warnOfUnknownTypes(findings, definition);
  const transport = transportOf(findings, workcell.instruments ?? []);
  const arm = transport && armTransportSetup(findings, transport, instrumentIndex);
  const chosen = withChoices({ instruments, tasks, supplies }, arm);
  if (arm && findings.errors.length === 0) {
    checkStations(findings, arm, { instruments: chosen, labware, tasks });
  }
  const [buffers, rejects] = (['buffer', 'reject'] as const).map((role) =>
    slotsOfRole(definition, role, instrumentIndex).filter(
      (location) =>
        !isConsumableSlot(supplies, location) && (!arm || arm.stations.has(locationKey(location))),
    ),
  );
  warnOfSharedEnds(findings, { tasks, instruments, labware }, buffers!.length > 0);
  return {
    name,
    instruments: chosen,
    tasks,
    labware,
    supplies,
    constraints: workflow.time_constraints ?? [],
    hooks,
    buffers: buffers!,
    rejects: rejects!,
    arm,
    seed: seedOf(findings, definition),
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
