import { expect, test } from 'vitest';
import type { CellObjectState, CellState } from '../../../contract/types.generated.ts';
import { createCellAt } from './recorded-cell.ts';

const NONE: CellState = { objects: [], grippers: [], sensors: [], conveyors: [], controls: [] };

function part(at: string | null): CellState {
  const object: CellObjectState = {
    name: 'part 1',
    position: { x: 0, y: 0, z: 0 },
    orientation: { w: 1, x: 0, y: 0, z: 0 },
    status: at === null ? 'held' : 'resting',
    at,
    held_by: at === null ? 'gripper' : null,
  };
  return { ...NONE, objects: [object] };
}

test('the cell of a recording follows its changes forwards and backwards', () => {
  const other = { ...NONE, sensors: [{ name: 'gate', active: true, value: true }] };
  const cellAt = createCellAt([
    { at_s: 0, cell: { name: 'trays' } },
    { at_s: 0, state: part('A1') },
    { at_s: 2, state: part(null) },
    { at_s: 3, state: other },
    { at_s: 4, state: part('B1') },
    { at_s: 9, cell: null },
  ]);
  const at = (time_s: number) => cellAt(time_s)?.state.objects[0]?.at;
  expect(cellAt(0)?.description.name).toBe('trays');
  expect([0, 1.9, 2, 3.9, 4, 8.9].map(at)).toEqual(['A1', 'A1', null, null, 'B1', 'B1']);
  expect(cellAt(9)).toBeNull();
  expect([8, 3.5, 0].map(at)).toEqual(['B1', null, 'A1']);
  expect(cellAt(1)).toBe(cellAt(1.5));
  expect(cellAt(3)?.state.sensors).toEqual(other.sensors);
});
