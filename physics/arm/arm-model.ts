/**
 * The arm of this process as constants: its geometry, limits and masses. Each group of arm.json
 * states whether its values are confirmed, estimated or chosen for the twin. Joint j (0-based,
 * j0..j5 of §2.4) moves link j + 1. The link lengths below serve the closed-form kinematics: axes 2
 * and 3 are parallel, axes 4 and 5 meet in the wrist centre, axis 6 lies WRIST_OFFSET_M beside it
 * (§2.8): 0 where the wrist is spherical. The offsets beside axes have either sign.
 */
import { BOUND_ARM, ARM as data } from '../../arms/bound-arm.ts';
import { cos, sin } from '../math/portable.ts';

export const JOINT_COUNT = 6;

/**
 * Identifies the physics of simulated arms: the starts of the digests in
 * fixtures/goldens/plant-digests.json, and what tells another arm from the default one. A recording
 * replays to the bit on its own physics only.
 */
export const PHYSICS_FINGERPRINT = ['c848c672-c32ec9b3', BOUND_ARM.fingerprint]
  .filter((part) => part !== '')
  .join('-');

/** Whether this process has the arm that the program is built for; others are read when it starts. */
export const IS_DEFAULT_ARM = BOUND_ARM.fingerprint === '';

/** The name that the arm of this process is called by. */
export const ARM_NAME = BOUND_ARM.name;

/** Names of the joints in files for other programs, j0 to j5 of §2.4. */
export const JOINT_NAMES: readonly string[] = [0, 1, 2, 3, 4, 5].map((joint) => `joint_${joint}`);
/** How texts for people call a joint (0-based): J1 to J6, as on the page. */
export const jointName = (joint: number): string => `J${joint + 1}`;
/** Names of the frames of a pose in such files: base, links 1 to 6, flange. */
export const FRAME_NAMES: readonly string[] = [
  'base_link',
  ...[1, 2, 3, 4, 5, 6].map((link) => `link_${link}`),
  'flange',
];

/** Mass, centre of mass and inertia about it, in the link's joint frame (SI). */
export interface LinkMass {
  readonly mass_kg: number;
  readonly com_m: readonly number[];
  /** Ixx, Iyy, Izz, Ixy, Ixz, Iyz as tensor elements about the centre of mass, frame axes. */
  readonly inertia_kg_m2: readonly number[];
}

const joints = data.chain.joints;

/** Link offsets of the chain: joint j's frame origin in the frame before it (m, x and z; y = 0). */
export const OFFSETS_M: readonly (readonly number[])[] = joints.map((joint) => joint.offset_m);

/** Distance from joint 6's frame to the flange face along z (m). */
export const FLANGE_M: number = data.flange.offset_m[2]!;

/** Height of axis 2 above the base plate (m). */
export const SHOULDER_HEIGHT_M = OFFSETS_M[0]![2]! + OFFSETS_M[1]![2]!;
/** Distance of axis 2 from axis 1 (m). */
export const SHOULDER_OFFSET_M = OFFSETS_M[1]![0]!;
/** Axis 2 to axis 3 (m). */
export const UPPER_ARM_M = OFFSETS_M[2]![2]!;
/** Offset of the forearm line from axis 3, toward -x of link 3 (m). */
export const FOREARM_OFFSET_M = 0 - OFFSETS_M[3]![0]!;
/** Axis 3 to the wrist centre along the forearm (m). */
export const FOREARM_M = OFFSETS_M[3]![2]! + OFFSETS_M[4]![2]!;
/** Axis 3 to the wrist centre, straight (m). */
export const ELBOW_TO_WRIST_M = Math.sqrt(
  FOREARM_OFFSET_M * FOREARM_OFFSET_M + FOREARM_M * FOREARM_M,
);
/** Wrist centre to axis 6 (m). */
export const WRIST_OFFSET_M = 0 - OFFSETS_M[5]![0]!;
/** Whether axes 4, 5 and 6 meet. */
export const IS_SPHERICAL = WRIST_OFFSET_M === 0;
/** Wrist centre to flange along axis 6 (m). */
export const WRIST_TO_FLANGE_M = OFFSETS_M[5]![2]! + FLANGE_M;

/** True where the joint turns about z of its frame, false where about y. */
export const TURNS_ABOUT_Z: readonly boolean[] = joints.map((joint) => joint.axis.endsWith('z'));
/** 1 where the joint turns about +z or -y, the directions of the chain; -1 where against them. */
export const JOINT_SENSE: readonly number[] = joints.map(({ axis }) =>
  axis === '+z' || axis === '-y' ? 1 : -1,
);
/** What is added to a joint's angle, before its sense, for the angle of the chain (rad). */
export const JOINT_ZERO_RAD: readonly number[] = joints.map(({ zero_rad = 0 }) => zero_rad);
/** Angle about +z or -y by which the frame of each joint is turned at joint angle 0 (rad). */
export const ZERO_TURN_RAD: readonly number[] = JOINT_ZERO_RAD.map((zero, j) =>
  zero === 0 ? 0 : JOINT_SENSE[j]! * zero,
);
/** The same turn as a quaternion w, x, y, z. */
export function zeroQuaternion(j: number): readonly number[] {
  const [sine, cosine] = [sin(ZERO_TURN_RAD[j]! / 2), cos(ZERO_TURN_RAD[j]! / 2)];
  return TURNS_ABOUT_Z[j] ? [cosine, 0, 0, sine] : [cosine, 0, 0 - sine, 0];
}
/** Whether the angles of the joints are those of the chain. */
export const IS_ALIGNED =
  JOINT_SENSE.every((sense) => sense === 1) && JOINT_ZERO_RAD.every((zero) => zero === 0);
/** Axis of each joint in its frame. */
export const JOINT_AXES: readonly (readonly number[])[] = JOINT_SENSE.map((sense, j) =>
  TURNS_ABOUT_Z[j] ? [0, 0, sense] : [0, 0 - sense, 0],
);

export const JOINT_MIN_RAD = Float64Array.from(joints, (joint) => joint.software_limit_rad[0]!);
export const JOINT_MAX_RAD = Float64Array.from(joints, (joint) => joint.software_limit_rad[1]!);

/** Mechanical end stops of each joint (rad), beyond the software limits. */
export const END_STOP_MIN_RAD = Float64Array.from(
  joints,
  (joint) => joint.mechanical_limit_rad[0]!,
);
export const END_STOP_MAX_RAD = Float64Array.from(
  joints,
  (joint) => joint.mechanical_limit_rad[1]!,
);
export const VELOCITY_MAX_RAD_S = Float64Array.from(data.motion.velocity_max_rad_s);
export const ACCELERATION_MAX_RAD_S2 = Float64Array.from(data.motion.acceleration_max_rad_s2);
export const JERK_MAX_RAD_S3 = Float64Array.from(data.motion.jerk_max_rad_s3);
export const TOOL_ACCELERATION_MAX_M_S2 = data.motion.tool_acceleration_max_m_s2;
/** Kinetic energy limits (J): above those of the arm alone at its ratings; a payload meets them. */
export const TOOL_ENERGY_MAX_J = data.energy.tool_max_j;
export const JOINT_ENERGY_MAX_J = Float64Array.from(data.energy.joint_max_j);

/** Base and links 1 to 6; masses and inertias scaled to the rated 9.5 kg. */
export const LINK_MASSES: readonly LinkMass[] = data.links.list.map((link) => ({
  mass_kg: link.mass_kg * data.links.mass_scale,
  com_m: link.com_m,
  inertia_kg_m2: link.inertia_kg_m2.map((value) => value * data.links.mass_scale),
}));

/** Rated reach (m): the circle on the ground and on the deck map of the page. */
export const REACH_M = data.ratings.reach_m;
export const PAYLOAD_MAX_KG = data.ratings.payload_max_kg;
/** Payload model: a ball of this radius whose centre lies this far beyond the flange face. */
export const PAYLOAD_BALL = data.payload;
export const DRIVE = data.drive;
export const DETECTION = data.detection;
/** The servo of its gripper, with the signals that command it and that it tells; null without one. */
export const GRIPPER_SERVO = data.servos?.gripper ?? null;
export const THERMAL = data.thermal;
export const TELEMETRY = data.telemetry;
/** How far a simulated arm deviates from an ideal one; the values of the other levels. */
export type Realism = 'ideal' | 'typical' | 'worn';
export const REALISM = data.realism;
