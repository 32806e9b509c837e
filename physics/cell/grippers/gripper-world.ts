/** What grippers see of the cell. */

import type { Numbers } from '../../math/vector.ts';
import type { BodyStates } from '../body-states.ts';
import type { CellModel } from '../cell-model.ts';
import type { LooseBodies } from '../loose-bodies.ts';
import type { CarriedPart } from './carried-part.ts';

/** The bodies as the search needs them. */
export interface SearchedWorld {
  readonly model: CellModel;
  readonly states: BodyStates;
}

/** What a gripper asks of the cell. */
export interface GripperWorld extends SearchedWorld {
  readonly bodies: LooseBodies;
  /** Pose of the flange now. */
  readonly flange: Float64Array;
  /** Force of fixtures on what the gripper holds, in the last step (N). */
  readonly contactForce: Numbers;
  /** What stands on what the gripper holds, as of the last step. */
  readonly carried: CarriedPart;
  /** What presses on the fingers along a direction, in the last step. */
  readonly pressOn: (direction: Numbers) => Press;
  /** Name of the gripper that holds or carries a body. */
  readonly holderOf: (body: number) => string | null;
  readonly report: (
    kind: 'grasped' | 'missed' | 'released' | 'dropped' | 'slipped' | 'jammed',
    body: number | null,
    text: string,
  ) => void;
}

/** The greatest force along a direction (N), and the body it comes from: -1 for a fixture. */
export interface Press {
  readonly force_n: number;
  readonly body: number;
}
