import type { WorkflowInstrument } from '../../contract/types.generated.ts';
import type { ModelInstrument } from './workflow-model.ts';

type Slots = Pick<ModelInstrument, 'id' | 'slots' | 'slotless'>;

/** The slots of an instrument and what it does at a time; `capacity` is the short form of both. */
export function placesOf({
  capacity = 1,
  slots = capacity,
  max_tasks = capacity,
  is_slotless_container: slotless = false,
}: WorkflowInstrument): Omit<Slots, 'id'> & Pick<ModelInstrument, 'capacity'> {
  return { slots, capacity: max_tasks, slotless };
}

/**
 * Returns why an instrument has no such slot, or null: its slots are numbered from 1, one piece in
 * each; a container without slots takes any number.
 */
export function slotFault({ id, slots, slotless }: Slots, slot: number): string | null {
  if (slotless || (slot >= 1 && slot <= slots)) return null;
  return `${id} has ${slots === 1 ? 'only slot 1' : `the slots 1 to ${slots}`}`;
}
