import type { Cell } from '../../contract/types.ts';

/** Every input that the cell drives, with its path. */
export function inputsOf(cell: Cell): { readonly path: string; readonly input: string }[] {
  const found: { path: string; input: string }[] = [];
  const add = (path: string, input: string | undefined) => {
    if (input !== undefined) found.push({ path, input });
  };
  cell.grippers?.forEach((gripper, i) => {
    add(`/grippers/${i}/part_present_input`, gripper.part_present_input);
    if (gripper.kind === 'jaws') add(`/grippers/${i}/closed_input`, gripper.closed_input);
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
