import type { ModelInstrument } from './workflow-model.ts';

type Slots = Pick<ModelInstrument, 'id' | 'capacity' | 'slotless'>;

/**
 * Returns why an instrument has no such slot, or null: it has the slots 1 to `capacity`, one piece
 * in each; a container without slots takes any number.
 */
export function slotFault({ id, capacity, slotless }: Slots, slot: number): string | null {
  if (slotless || (slot >= 1 && slot <= capacity)) return null;
  return `${id} has ${capacity === 1 ? 'only slot 1' : `the slots 1 to ${capacity}`}`;
}
