/**
 * The kinds of grippers, a line each. The scene draws them by a table of its own
 * (viewer/scene/grippers/gripper-kinds.ts).
 */
import type { CellGripper } from '../../../contract/types.generated.ts';
import type { Gripper } from './gripper.ts';
import type { GripperKind } from './gripper-kind.ts';
import { JAWS } from './jaws/jaws.ts';
import { SUCTION } from './suction/suction-cup.ts';

const GRIPPERS: {
  readonly [Kind in CellGripper['kind']]: GripperKind<Extract<CellGripper, { kind: Kind }>>;
} = {
  jaws: JAWS,
  suction: SUCTION,
};

/** The kind of a gripper. */
export function gripperKindOf({ kind }: CellGripper): GripperKind {
  return GRIPPERS[kind];
}

/** An open gripper that holds nothing. */
export function createGripper(description: CellGripper): Gripper {
  return gripperKindOf(description).create(description);
}
