import type { CellGripper, GripperFaultBody } from '../../../contract/types.generated.ts';
import type { Gripper } from './gripper.ts';

/** A kind of gripper, as GRIPPERS lists it: all that the code above knows of the kind. */
export interface GripperKind<Description extends CellGripper = CellGripper> {
  create(description: Description): Gripper;
  /** The grasp centre in the flange frame: x closes, z approaches. */
  frameOf(description: Description): Float64Array;
  /** The inputs that only this kind drives, by their fields in the description. */
  inputsOf(description: Description): Readonly<Record<string, string | undefined>>;
  /** The injected faults that it can have. */
  readonly faults: readonly GripperFaultBody['fault'][];
}
