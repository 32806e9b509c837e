/**
 * What a robot description does not say of an arm: accelerations, energies, drives, thresholds,
 * heat. Derived from what its joints carry, in the proportions of the default arm.
 */
import type { Arm } from '../arm.ts';
import defaultData from '../default/arm.json' with { type: 'json' };
import type { JointLoads } from './arm-poses.ts';
import { type ChainJoint, calledJoint } from './chain.ts';

const DEFAULT = defaultData as Arm;

/** Speed of a joint that the file gives none (rad/s). */
const SPEED_RAD_S = 2;
/** The fastest acceleration that is asked of an arm, and the slowest (rad/s²). */
const ACCELERATION_RAD_S2 = 10;
const LEAST_ACCELERATION_RAD_S2 = 1;
/** Jerk to acceleration (1/s). */
const JERK_PER_S = 10;
/** Share of a torque limit that plans use. */
const USED_TORQUE = 0.8;
/** A drive has this many times the torque that its joint needs, where the file says nothing. */
const TORQUE_RESERVE = 2;
/** An effort this many times above what any joint needs is a placeholder. */
const PLACEHOLDER_EFFORT = 10;
/** Rotor inertia, friction and thresholds to torque, as those of the default arm. */
const ARMATURE_PER_N_M = 0.005;
const VISCOUS_PER_N_M = 0.03;
const COULOMB_PER_N_M = 0.02;
const MOST_FRICTION = 0.3;
const THRESHOLD_PER_N_M = 0.08;
const SERVO_THRESHOLD_PER_N_M = 0.3;
const STOP_STIFFNESS_PER_N_M = 20;
const STOP_DAMPING_PER_N_M = 0.5;
/** Heat at the torque limit (W). */
const HEAT_W = 50;
/** A drive has at least this torque (N m). */
const LEAST_TORQUE_N_M = 0.2;
/** Energies above those of the arm alone. */
const ENERGY_RESERVE = 1.1;

const rounded = (value: number) => Number(value.toPrecision(3));

export interface EstimateBasis {
  readonly joints: readonly ChainJoint[];
  readonly loads: JointLoads;
  readonly payload_kg: number;
}

export type Estimates = Pick<
  Arm,
  'motion' | 'energy' | 'drive' | 'detection' | 'thermal' | 'realism' | 'telemetry' | 'payload'
>;

interface Drive {
  readonly torque_n_m: number;
  readonly remark?: string;
}

/** Torque limits of the joints: their efforts where those can be ones. */
function drivesOf({ joints, loads }: EstimateBasis): Drive[] {
  const needs = loads.holding_n_m.map(
    (hold, j) => hold + loads.inertia_kg_m2[j]! * ACCELERATION_RAD_S2,
  );
  const highest = PLACEHOLDER_EFFORT * TORQUE_RESERVE * Math.max(...needs);
  return joints.map((joint, j) => {
    const { effort } = joint;
    const hold = loads.holding_n_m[j]!;
    const torque_n_m = rounded(Math.max(LEAST_TORQUE_N_M, TORQUE_RESERVE * needs[j]!));
    const assumed = (reason: string) => ({
      torque_n_m,
      remark: `${calledJoint(j, joint)} has ${reason}; ${torque_n_m} N m is taken.`,
    });
    if (!(effort > 0)) return assumed('no effort');
    if (effort > highest) return assumed(`an effort of ${effort} N m, a placeholder`);
    if (effort * USED_TORQUE >= hold) return { torque_n_m: effort };
    const need = `holding the arm needs ${hold.toPrecision(3)} N m`;
    return assumed(`an effort of ${effort} N m, but ${need}`);
  });
}

function motionOf({ joints, loads }: EstimateBasis, torques: readonly number[]): Arm['motion'] {
  const velocity_max_rad_s = joints.map(({ velocity }) => (velocity > 0 ? velocity : SPEED_RAD_S));
  const acceleration_max_rad_s2 = joints.map((_, j) => {
    const free = USED_TORQUE * torques[j]! - loads.holding_n_m[j]!;
    const inertia = loads.inertia_kg_m2[j]! + ARMATURE_PER_N_M * torques[j]!;
    const fastest = Math.min(ACCELERATION_RAD_S2, free / inertia);
    return rounded(Math.max(LEAST_ACCELERATION_RAD_S2, fastest));
  });
  return {
    mark: 'own',
    velocity_max_rad_s,
    acceleration_max_rad_s2,
    jerk_max_rad_s3: acceleration_max_rad_s2.map((value) => JERK_PER_S * value),
    tool_acceleration_max_m_s2: DEFAULT.motion.tool_acceleration_max_m_s2,
  };
}

/** Friction of the file, where it is one that the drive can overcome. */
function frictionOf(given: number, torque_n_m: number, share: number): number {
  const isUsable = given > 0 && given < MOST_FRICTION * torque_n_m;
  return isUsable ? given : rounded(share * torque_n_m);
}

function driveGroup(
  { joints }: EstimateBasis,
  torques: readonly number[],
  motion: Arm['motion'],
): Arm['drive'] {
  const of = (share: number) => torques.map((torque) => rounded(share * torque));
  const fastest = Math.max(...motion.velocity_max_rad_s);
  const { drive, motion: defaults } = DEFAULT;
  const step = drive.setpoint_step_max_rad / Math.max(...defaults.velocity_max_rad_s);
  return {
    mark: 'estimate',
    armature_kg_m2: of(ARMATURE_PER_N_M),
    viscous_n_m_s: joints.map(({ damping, velocity }, j) =>
      frictionOf(damping * (velocity || 1), torques[j]!, 0) > 0
        ? damping
        : rounded(VISCOUS_PER_N_M * torques[j]!),
    ),
    coulomb_n_m: joints.map(({ friction }, j) =>
      frictionOf(friction, torques[j]!, COULOMB_PER_N_M),
    ),
    coulomb_smooth_rad_s: drive.coulomb_smooth_rad_s,
    torque_max_n_m: torques,
    servo_bandwidth_rad_s: drive.servo_bandwidth_rad_s,
    braking_rad_s2: motion.acceleration_max_rad_s2,
    following_error_rad: drive.following_error_rad,
    setpoint_step_max_rad: Math.max(drive.setpoint_step_max_rad, rounded(step * fastest)),
    stop_stiffness_n_m: of(STOP_STIFFNESS_PER_N_M),
    stop_damping_n_m_s: of(STOP_DAMPING_PER_N_M),
  };
}

/** The groups that a description lacks, and what is to be said of what was put into them. */
export function estimatesOf(basis: EstimateBasis): { groups: Estimates; remarks: string[] } {
  const drives = drivesOf(basis);
  const torques = drives.map(({ torque_n_m }) => torque_n_m);
  const motion = motionOf(basis, torques);
  const drive = driveGroup(basis, torques, motion);
  const speeds = motion.velocity_max_rad_s;
  const { tool_max_j } = DEFAULT.energy;
  const payload_share = basis.payload_kg / DEFAULT.ratings.payload_max_kg;
  const slow = basis.joints.flatMap((joint, j) =>
    joint.velocity > 0
      ? []
      : [`${calledJoint(j, joint)} has no speed; ${SPEED_RAD_S} rad/s is taken.`],
  );
  const groups: Estimates = {
    motion,
    energy: {
      mark: 'own',
      tool_max_j: rounded(tool_max_j * Math.max(1, payload_share)),
      joint_max_j: speeds.map((speed, j) => {
        const inertia = basis.loads.inertia_kg_m2[j]! + drive.armature_kg_m2[j]!;
        return rounded((ENERGY_RESERVE * inertia * speed * speed) / 2);
      }),
    },
    payload: { ...DEFAULT.payload, mark: 'own' },
    drive,
    detection: {
      ...DEFAULT.detection,
      mark: 'own',
      threshold_n_m: torques.map((torque) => rounded(THRESHOLD_PER_N_M * torque)),
      servo_threshold_n_m: torques.map((torque) => rounded(SERVO_THRESHOLD_PER_N_M * torque)),
    },
    thermal: {
      ...DEFAULT.thermal,
      mark: 'own',
      resistance_w_per_n2m2: torques.map((torque) => rounded(HEAT_W / (torque * torque))),
    },
    realism: { ...DEFAULT.realism, mark: 'own' },
    telemetry: { ...DEFAULT.telemetry, mark: 'own' },
  };
  return { groups, remarks: [...drives.flatMap(({ remark }) => remark ?? []), ...slow] };
}
