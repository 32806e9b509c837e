/**
 * Merges the changes of a cell into what is known of it; parts that stay the same keep their
 * identity. Pure.
 */
import type { CellState } from '../../contract/types.generated.ts';
import type { CellView } from './cell-view.ts';

const NOTHING: CellState = {
  objects: [],
  grippers: [],
  sensors: [],
  conveyors: [],
  controls: [],
};

/** A cell with its state; nothing has happened in it yet. */
export function cellOf(description: CellView['description'], state: CellState | null): CellView {
  return { description, state: state ?? NOTHING, events: [] };
}

/** `before` with the entries of `changed` in place of those of the same name. */
function mergeNamed<Entry extends { readonly name: string }>(
  before: readonly Entry[],
  changed: readonly Entry[],
): Entry[] {
  const names = new Map(changed.map((entry) => [entry.name, entry]));
  const kept = before.map((entry) => names.get(entry.name) ?? entry);
  const known = new Set(before.map(({ name }) => name));
  return [...kept, ...changed.filter(({ name }) => !known.has(name))];
}

/** The cell with the changed parts in place of those of the same name. */
export function mergeCell(cell: CellView | null, changed: CellState): CellView | null {
  if (!cell) return null;
  const { state } = cell;
  return {
    ...cell,
    state: {
      objects: mergeNamed(state.objects, changed.objects),
      grippers: mergeNamed(state.grippers, changed.grippers),
      sensors: mergeNamed(state.sensors, changed.sensors),
      conveyors: mergeNamed(state.conveyors, changed.conveyors),
      controls: mergeNamed(state.controls, changed.controls),
    },
  };
}
