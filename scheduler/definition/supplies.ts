/**
 * Labware whose units are counted, such as tips and reagents: what tasks take of it, and whether it
 * lasts. A consumable is one that stands where it is used: it is not carried, and runs share it.
 */

import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { isSameLocation, type SlotLocation } from '../plan/slot-location.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import type { ReadDefinition, ReadTask } from './read-definition.ts';
import type { ModelInstrument, ModelTask } from './workflow-model.ts';

/** Labware whose units are counted. */
export interface Supply {
  readonly id: string;
  /** Units after a refill, and at the start where the deck does not know better. */
  readonly full: number;
  /** What a person is asked once it does not last; absent: it has to last for the run. */
  readonly refill?: string;
  /** Where a consumable stands; null for labware that is carried. */
  readonly location: SlotLocation | null;
}

/** Units that a task takes as it starts. */
export interface Taking {
  /** Index of the supply. */
  readonly supply: number;
  readonly units: number;
}

/** The ids of the labware that tasks take where it stands. */
export function consumablesOf({ tasks }: Pick<ReadDefinition, 'tasks'>): ReadonlySet<string> {
  return new Set(tasks.flatMap(({ consumables }) => consumables.map((one) => one.labware_id)));
}

/** The supplies of a definition, in the order of its labware. */
export function suppliesOf(
  findings: DefinitionFindings,
  { definition: { workflow }, tasks }: ReadDefinition,
  placeOf: (id: string) => SlotLocation,
): Supply[] {
  const consumables = consumablesOf({ tasks });
  const carried = new Set(tasks.flatMap(({ needs }) => needs.map((one) => one.labware_id)));
  return workflow.labware.flatMap(({ id, units, refill }, i): Supply[] => {
    const isConsumable = consumables.has(id);
    const path = childPointer('/workflow/labware', i);
    if (isConsumable && carried.has(id))
      findings.add(path, 'is a consumable of some tasks and carried for others; it can be one');
    if (isConsumable && units === undefined)
      findings.add(path, 'needs its `units`: tasks take some');
    if (units === undefined) {
      if (refill !== undefined) findings.warnings.push(`${path}/refill is kept and has no effect`);
      return [];
    }
    const asks = refill === undefined ? {} : { refill };
    return [{ id, full: units, ...asks, location: isConsumable ? placeOf(id) : null }];
  });
}

/** What a task takes of supplies; finds what is not there, or not on an instrument that can do the task. */
export function takingsOf(
  findings: DefinitionFindings,
  { needs, consumables }: ReadTask,
  supplies: readonly Supply[],
): Taking[] {
  return [...needs, ...consumables].flatMap(({ labware_id, units_consumed: units, type, path }) => {
    if (!units) return [];
    const supply = supplies.findIndex(({ id }) => id === labware_id);
    if (supply < 0) {
      if (type !== 'consumable')
        findings.warnings.push(
          `${path}/units_consumed has no effect: ${labware_id} says no \`units\``,
        );
      return [];
    }
    const { full } = supplies[supply]!;
    if (units > full)
      findings.add(
        `${path}/units_consumed`,
        `is ${units}, and ${labware_id} holds ${full} when full`,
      );
    return [{ supply, units }];
  });
}

/** The candidates that have the consumables of a task; an error where there are none. */
export function withConsumables(
  findings: DefinitionFindings,
  { consumables, task }: ReadTask,
  on: {
    readonly candidates: readonly number[];
    readonly placeOf: (id: string) => SlotLocation | undefined;
  },
): readonly number[] {
  let { candidates } = on;
  for (const { labware_id, path } of consumables) {
    const place = on.placeOf(labware_id);
    if (!place) {
      findings.add(`${path}/labware_id`, `there is no labware ${labware_id}`);
      continue;
    }
    if (candidates.length === 0) continue;
    if (candidates.includes(place.instrument)) candidates = [place.instrument];
    else {
      const where = `stands on no instrument of type ${task.instrument.type} that can do the task`;
      findings.add(`${path}/labware_id`, `${labware_id} ${where}; consumables are not carried`);
    }
  }
  return candidates;
}

/** Adds an error for each slot that a task needs, and that a consumable has. */
export function checkConsumableSlots(
  findings: DefinitionFindings,
  { path }: ReadTask,
  on: {
    readonly task: Pick<ModelTask, 'candidates' | 'uses'>;
    readonly supplies: readonly Supply[];
    readonly instruments: readonly ModelInstrument[];
  },
): void {
  const { candidates, uses } = on.task;
  for (const { id, location } of on.supplies) {
    if (!location || !candidates.includes(location.instrument)) continue;
    const { id: name, slotless } = on.instruments[location.instrument]!;
    const isTaken = uses.some(({ slot, slot_after }) => [slot, slot_after].includes(location.slot));
    if (isTaken && !slotless)
      findings.add(path, `needs ${name} slot ${location.slot}, where ${id} stands`);
  }
}

/** Whether a consumable stands in a slot. */
export function isConsumableSlot(supplies: readonly Supply[], slot: SlotLocation): boolean {
  return supplies.some(({ location }) => location !== null && isSameLocation(location, slot));
}

/** Units that tasks take of each supply: those that are done in any case, and all. */
function totals(
  tasks: readonly ModelTask[],
  supply: number,
): readonly [sure: number, most: number] {
  let [sure, most] = [0, 0];
  for (const { takes = [], conditions = [], skip } of tasks) {
    for (const { supply: from, units } of skip ? [] : takes) {
      if (from !== supply) continue;
      most += units;
      if (conditions.length === 0) sure += units;
    }
  }
  return [sure, most];
}

/** Finds supplies that do not last for the tasks, and that nobody is asked to refill. */
export function checkSupplies(
  findings: DefinitionFindings,
  { workflow }: WorkflowDefinition,
  {
    tasks,
    supplies,
  }: { readonly tasks: readonly ModelTask[]; readonly supplies: readonly Supply[] },
): void {
  supplies.forEach(({ id, full, refill }, supply) => {
    const [sure, most] = totals(tasks, supply);
    if (refill !== undefined || most <= full) return;
    const at = workflow.labware.findIndex((one) => one.id === id);
    const path = `${childPointer('/workflow/labware', at)}/units`;
    const advice = 'or say in `refill` what a person is asked';
    if (sure > full)
      findings.add(path, `is ${full}, and the tasks take ${sure}: put more there, ${advice}`);
    else findings.warnings.push(`${path} is ${full}, and all branches take ${most}: ${advice}`);
  });
}

/** Units of each supply that tasks still take in any case. */
export function unitsNeeded(
  tasks: readonly ModelTask[],
  isOpen: (task: number) => boolean,
): Map<number, number> {
  const needed = new Map<number, number>();
  tasks.forEach(({ takes = [], conditions = [] }, task) => {
    if (conditions.length > 0 || !isOpen(task)) return;
    for (const { supply, units } of takes) needed.set(supply, (needed.get(supply) ?? 0) + units);
  });
  return needed;
}
