import type { Cell } from '../../contract/types.generated.ts';
import { gripperKindOf } from './grippers/gripper-kinds.ts';

/** Every input that the cell drives, with its path. */
export function inputsOf(cell: Cell): { readonly path: string; readonly input: string }[] {
  const found: { path: string; input: string }[] = [];
  const add = (path: string, input: string | undefined) => {
    if (input !== undefined) found.push({ path, input });
  };
  cell.grippers?.forEach((gripper, i) => {
    add(`/grippers/${i}/part_present_input`, gripper.part_present_input);
    for (const [field, input] of Object.entries(gripperKindOf(gripper).inputsOf(gripper))) {
      add(`/grippers/${i}/${field}`, input);
    }
  });
  cell.sensors?.forEach(({ input }, i) => {
    add(`/sensors/${i}/input`, input);
  });
  cell.conveyors?.forEach(({ encoder }, i) => {
    add(`/conveyors/${i}/encoder/input`, encoder?.input);
  });
  cell.controls?.forEach(({ input }, i) => {
    add(`/controls/${i}/input`, input);
  });
  return found;
}
