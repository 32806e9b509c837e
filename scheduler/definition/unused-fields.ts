/**
 * What a definition says without effect: fields that other schedulers use, types that nobody
 * describes, and plates that end in each other's way. Each is a warning of the check.
 */

import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { ANY_SLOT } from '../plan/slot-location.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import { isEmpty, type ReadDefinition } from './read-definition.ts';
import { TRANSPORT_TYPE } from './transport-instrument.ts';
import type { ModelInstrument, ModelTask } from './workflow-model.ts';

/** Fields that are kept and change nothing, each with where a definition has it. */
const WITHOUT_EFFECT: Readonly<Record<string, (read: ReadDefinition) => string[]>> = {
  inputs: ({ tasks }) =>
    tasks.flatMap(({ path, task }) => (isEmpty(task.inputs) ? [] : [`${path}/inputs`])),
  'labware_sources of consumables': ({ tasks }) =>
    tasks.flatMap(({ consumables }) =>
      consumables.flatMap((need) =>
        (['slot', 'destination_slot', 'source_task'] as const).flatMap((name) =>
          need[name] === undefined ? [] : [`${need.path}/${name}`],
        ),
      ),
    ),
  time_out_s: ({ tasks }) =>
    tasks.flatMap(({ path, task }) =>
      task.time_out_s === undefined || task.prompt !== undefined ? [] : [`${path}/time_out_s`],
    ),
  driver: (read) => instrumentFields(read, 'driver'),
  config: (read) => instrumentFields(read, 'config'),
  simulate: (read) => instrumentFields(read, 'simulate'),
  batch: ({ definition: { workflow } }) =>
    workflow.labware.flatMap(({ batch }, i) =>
      (batch ?? 1) === 1 ? [] : [`${childPointer('/workflow/labware', i)}/batch`],
    ),
  batches: (read) => unlessUsual(read, 'batches', 1),
  planning_targets: (read) => unlessUsual(read, 'planning_targets', 'makespan'),
};

/** Where a field of the workflow says anything but what is done in any case. */
function unlessUsual(
  { definition: { workflow } }: ReadDefinition,
  name: 'batches' | 'planning_targets',
  usual: unknown,
): string[] {
  const value: unknown = workflow[name];
  return isEmpty(value) || value === usual ? [] : [`/workflow/${name}`];
}

/** Where instruments have a field that only a transport instrument uses. */
function instrumentFields(
  { definition: { workcell } }: ReadDefinition,
  name: 'driver' | 'config' | 'simulate',
): string[] {
  return (workcell.instruments ?? []).flatMap((one, i) => {
    const isUsed = one.type === TRANSPORT_TYPE && name !== 'driver';
    const isSet = one[name] !== false && !isEmpty(one[name]);
    return isSet && !isUsed ? [`${childPointer('/workcell/instruments', i)}/${name}`] : [];
  });
}

/** Warns once of each field that has no effect, with the first place. */
export function warnOfUnusedFields(findings: DefinitionFindings, read: ReadDefinition): void {
  for (const [name, placesIn] of Object.entries(WITHOUT_EFFECT)) {
    const [first, ...more] = placesIn(read);
    if (first === undefined) continue;
    const others = more.length > 0 ? `, as are ${more.length} more of \`${name}\`` : '';
    findings.warnings.push(`${first} is kept and has no effect${others}`);
  }
}

/** Warns of labware whose type is none of the types that the definition describes. */
export function warnOfUnknownTypes(
  findings: DefinitionFindings,
  { workflow }: WorkflowDefinition,
): void {
  const { labware_types: types = [], labware } = workflow;
  if (types.length === 0) return;
  const known = new Set(
    types.flatMap((one) => Object.values(one).filter((it) => typeof it === 'string')),
  );
  labware.forEach(({ labware_type }, i) => {
    if (labware_type === undefined || known.has(labware_type)) return;
    const path = `${childPointer('/workflow/labware', i)}/labware_type`;
    findings.warnings.push(`${path} is ${labware_type}, which is none of the labware_types`);
  });
}

interface Ends {
  readonly tasks: readonly ModelTask[];
  readonly instruments: readonly ModelInstrument[];
  readonly labware: readonly { readonly id: string; readonly tasks: readonly number[] }[];
}

/** Warns of pieces whose last tasks leave them in the same slot: the second has no way out of its own. */
export function warnOfSharedEnds(
  findings: DefinitionFindings,
  { tasks, instruments, labware }: Ends,
  hasBuffers: boolean,
): void {
  if (hasBuffers) return;
  const holders = new Map<string, string>();
  labware.forEach(({ id, tasks: chain }, piece) => {
    const last = tasks[chain.at(-1) ?? -1];
    const [instrument, other] = last?.candidates ?? [];
    if (!last || instrument === undefined || other !== undefined) return;
    const { id: name, slotless } = instruments[instrument]!;
    if (slotless) return;
    const use = last.uses.find((one) => one.labware === piece);
    if (use?.slot_after === ANY_SLOT) return;
    const place = `${name} slot ${use?.slot_after}`;
    const first = holders.get(place);
    if (first === undefined) holders.set(place, id);
    else {
      const advice = 'give one a last task elsewhere, such as in a rack';
      findings.warnings.push(`${first} and ${id} both end in ${place}: ${advice}`);
    }
  });
}
