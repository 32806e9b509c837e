/** A cell as its description has it, with its objects where they start. */
import type { Cell } from '../../contract/types.generated.ts';
import { compileCell } from '../../physics/cell/cell-model.ts';
import { bottomOf } from '../../physics/cell/solids/solids.ts';
import { wireQuaternion, wireVector } from '../../physics/cell/wire-pose.ts';
import { cellOf } from '../link/cell-merge.ts';
import type { CellView } from '../link/cell-view.ts';

export function cellAtStart(description: Cell): CellView {
  const bottom = new Float64Array(3);
  const objects = compileCell(description).bodies.map((body) => {
    bottomOf(body, body.pose, 0, bottom);
    const place = { position: wireVector(bottom), orientation: wireQuaternion(body.pose, 3) };
    return { name: body.name, ...place, status: 'resting', at: null, held_by: null } as const;
  });
  const nothing = { grippers: [], sensors: [], conveyors: [], controls: [] };
  return cellOf(description, { objects, ...nothing });
}
