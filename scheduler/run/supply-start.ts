/** The supplies of a run that starts: what the deck has of them, and whether that lasts. */

import { type Supply, unitsNeeded } from '../definition/supplies.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { Workcell } from '../workcell/workcells.ts';
import type { RunProgress } from './progress.ts';
import type { Stock } from './run-supplies.ts';

/** A run that is on already. */
interface Other {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
}

interface Starting {
  readonly model: WorkflowModel;
  readonly workcell: Pick<Workcell, 'stock'> | null;
}

/** Whether a supply is full as the run starts: nobody knows better, or a person has just put it there. */
function isFull(
  { id }: Supply,
  stock: ReadonlyMap<string, number> | undefined,
  { others, asDefined }: { readonly others: readonly Other[]; readonly asDefined: boolean },
): boolean {
  const isShared = others.some(({ model }) => model.supplies.some((one) => one.id === id));
  return !stock?.has(id) || (asDefined && !isShared);
}

/** Says what is counted from the start of a run on. */
export function fillStock(
  stock: Stock,
  { model }: Starting,
  others: readonly Other[],
  asDefined: boolean,
): void {
  for (const supply of model.supplies) {
    if (isFull(supply, stock, { others, asDefined })) stock.set(supply.id, supply.full);
  }
}

/** Why the supplies do not last for a run beside the others, where nobody is asked to refill; null if they do. */
export function supplyFault(
  { model, workcell }: Starting,
  others: readonly Other[],
  asDefined: boolean,
): string | null {
  const needed = unitsNeeded(model.tasks, (task) => !model.tasks[task]!.skip);
  for (const [index, units] of needed) {
    const supply = model.supplies[index]!;
    const { id, full, refill } = supply;
    const isNew = isFull(supply, workcell?.stock, { others, asDefined });
    const left = isNew ? full : workcell!.stock.get(id)!;
    let promised = 0;
    for (const { model: other, progress } of others) {
      const own = other.supplies.findIndex((one) => one.id === id);
      const open = unitsNeeded(other.tasks, (task) => progress.isOpen(task));
      promised += open.get(own) ?? 0;
    }
    if (refill !== undefined || units + promised <= left) continue;
    const besides = promised > 0 ? `, other runs ${promised}` : '';
    const advice =
      'Refill it and say so with setDeck, or give it a `refill` for a person to be asked';
    return `${id} has ${left} units left; this run takes ${units}${besides}. ${advice}`;
  }
  return null;
}
