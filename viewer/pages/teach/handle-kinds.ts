/** The kinds of handles of the gizmo: arrows that move the tool, and rings that turn it. */
import { fixedAxisAngles } from '../../../physics/math/rotation.ts';
import { MM_PER_M, RAD_PER_DEG } from '../../ui/units.ts';
import { degrees } from '../../ui/value-text.ts';
import {
  aboutAxis,
  alongAxis,
  movedPose,
  type Ray,
  turnBetween,
  turnedPose,
  type Vec3,
} from './gizmo-geometry.ts';

/** A handle of the gizmo. */
export interface Handle {
  readonly kind: 'move' | 'turn';
  /** 0, 1, 2 for x, y, z. */
  readonly axis: number;
}

/** A kind of handle; its amounts are metres or radians. */
interface HandleKind {
  /** What it does to the ghost, before the name of the axis. */
  readonly verb: string;
  /** What stands before the name of the axis in an amount. */
  readonly prefix: string;
  readonly unit: string;
  /** One displayed unit: the step of an arrow key, to which a drag snaps. */
  readonly step: number;
  /** Greatest step of a drag, so that it ends at the first obstacle. */
  readonly dragStep: number;
  /** An amount in displayed units. */
  shown(amount: number): number;
  /** Where the tool is on an axis of the base, in displayed units. */
  valueAt(pose: Float64Array, axis: number): number;
  /** Where a view ray meets the axis or ring; null where it does not. */
  read(ray: Ray, centre: Vec3, along: Vec3): number | null;
  /** The amount between two readings. */
  between(from: number, to: number): number;
  apply(pose: Float64Array, along: Vec3, amount: number): Float64Array;
}

export const HANDLE_KINDS: Readonly<Record<Handle['kind'], HandleKind>> = {
  move: {
    verb: 'Move the ghost along',
    prefix: '',
    unit: ' mm',
    step: 0.001,
    dragStep: 0.01,
    shown: (amount) => amount * MM_PER_M,
    valueAt: (pose, axis) => pose[9 + axis]! * MM_PER_M,
    read: alongAxis,
    between: (from, to) => to - from,
    apply: movedPose,
  },
  turn: {
    verb: 'Turn the ghost about',
    prefix: 'R',
    unit: '°',
    step: RAD_PER_DEG,
    dragStep: (4 * Math.PI) / 180,
    shown: degrees,
    valueAt: (pose, axis) => degrees(fixedAxisAngles(pose)[axis]!),
    read: aboutAxis,
    between: turnBetween,
    apply: turnedPose,
  },
};

/** The amount rounded to whole millimetres or degrees. */
export function snapAmount(kind: Handle['kind'], amount: number): number {
  const { step } = HANDLE_KINDS[kind];
  return Math.round(amount / step) * step;
}

/** A change of a tool pose along or about an axis of the robot frame. */
export interface PoseChange {
  readonly kind: Handle['kind'];
  readonly along: Vec3;
  /** Metres or radians. */
  readonly amount: number;
}

/** The tool pose translated along, or rotated about, an axis through the tool point. */
export function applyPoseChange(
  pose: Float64Array,
  { kind, along, amount }: PoseChange,
): Float64Array {
  return HANDLE_KINDS[kind].apply(pose, along, amount);
}
