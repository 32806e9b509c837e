/**
 * The slots that the tasks of a definition need: each that its instrument does not have, or that
 * two pieces need, is an error.
 */

import { ANY_SLOT } from '../plan/slot-location.ts';
import type { DefinitionFindings } from './definition-findings.ts';
import { slotFault } from './instrument-slots.ts';
import { type ChainParts, openSlot } from './labware-chains.ts';
import type { ReadDefinition, ReadTask } from './read-definition.ts';
import type { ModelInstrument } from './workflow-model.ts';

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
export function checkTaskSlots(
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

/** Adds an error for each slot that one task needs for two pieces. */
export function checkSharedSlots(
  parts: ChainParts,
  { needs }: ReadTask,
  on: { readonly instruments: readonly ModelInstrument[]; readonly candidates: readonly number[] },
): void {
  if (on.candidates.every((index) => on.instruments[index]!.slotless)) return;
  const holders = new Map<number, string>();
  for (const { type, labware_id, destination_slot, path: at } of needs) {
    const slot = destination_slot ?? openSlot(parts, on.candidates);
    if (type === 'stored_labware' || slot === ANY_SLOT) continue;
    const other = holders.get(slot);
    if (other !== undefined) {
      parts.findings.add(`${at}/destination_slot`, `slot ${slot} is needed for ${other}`);
    }
    holders.set(slot, labware_id);
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
