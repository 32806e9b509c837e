import type { CellGripper } from '../../../contract/types.generated.ts';
import type { GripperGeometry } from './gripper-geometry.ts';
import { jawGeometry } from './jaws.ts';
import { cupGeometry } from './suction.ts';

type Grippers = { [Kind in CellGripper['kind']]: Extract<CellGripper, { kind: Kind }> };

/** What the scene knows of a kind of gripper. */
interface GripperKind<Gripper> {
  geometry(gripper: Gripper): GripperGeometry;
  /** Angle of the grasp frame about the axis of the flange (rad). */
  turn_rad(gripper: Gripper): number;
}

/** The kinds of grippers that the scene draws. */
const KINDS: { readonly [Kind in keyof Grippers]: GripperKind<Grippers[Kind]> } = {
  jaws: { geometry: jawGeometry, turn_rad: ({ jaw_angle_rad = 0 }) => jaw_angle_rad },
  suction: { geometry: cupGeometry, turn_rad: () => 0 },
};

/** The geometry of a gripper and the turn of its grasp frame about the axis of the flange (rad). */
export function gripperShape<Kind extends keyof Grippers>(
  gripper: Grippers[Kind] & { readonly kind: Kind },
): GripperGeometry & { readonly turn_rad: number } {
  const kind = KINDS[gripper.kind as Kind];
  return { ...kind.geometry(gripper), turn_rad: kind.turn_rad(gripper) };
}
