/**
 * The objects of a cell that are not in the nests where its description puts them, and the calls
 * that put them back, as a person would.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { Cell, CellState } from '../../contract/types.generated.ts';
import { cellOf } from './cell-merge.ts';

/** An object that is elsewhere, and the nest where the cell begins with it. */
export interface DisplacedPart {
  readonly name: string;
  readonly nest: string;
}

/**
 * The displaced objects in the order of the description. An object without a nest has no place to
 * be missing from: a belt may carry it on at once.
 */
export function displacedParts({
  description,
  state,
}: {
  readonly description: Cell;
  readonly state: CellState;
}): DisplacedPart[] {
  const now = new Map(state.objects.map((object) => [object.name, object]));
  return (description.objects ?? []).flatMap(({ name, nest }) => {
    const { at, status } = now.get(name) ?? {};
    // An injected fault keeps a missing part away until it is cleared.
    if (nest === undefined || status === undefined || status === 'missing') return [];
    return at === nest && status === 'resting' ? [] : [{ name, nest }];
  });
}

/** Moves each part to its nest; a part whose nest is still taken comes after the others. */
async function moveToNests(client: ArmClient, parts: readonly DisplacedPart[]): Promise<void> {
  let left = parts;
  while (left.length > 0) {
    const refused: DisplacedPart[] = [];
    let reason: unknown;
    for (const part of left) {
      try {
        await client.moveCellObject({ object_name: part.name }, { nest: part.nest });
      } catch (error) {
        refused.push(part);
        reason = error;
      }
    }
    if (refused.length === left.length) throw reason;
    left = refused;
  }
}

/**
 * Puts every displaced object of the cell back into its nest. At rest the grippers open, too: a
 * closed one would come down on the part. Needs the lock for that; throws the first refusal that
 * stays.
 */
export async function putPartsBack(client: ArmClient): Promise<void> {
  const { cell: description, state } = await client.getCell();
  if (!description || !state) return;
  const cell = cellOf(description, state);
  await moveToNests(client, displacedParts(cell));
  const closed = (description.grippers ?? []).filter(({ name }) => {
    return cell.state.grippers.some((gripper) => gripper.name === name && gripper.closed);
  });
  const { snapshot } = await client.getSnapshot();
  if (closed.length === 0 || snapshot.control.state !== 'ready') return;
  const changes = closed.map(({ output, closes_on = true }) => {
    return { key: `outputs.${output}`, value: !closes_on };
  });
  await client.changeGlobals({ changes });
}
