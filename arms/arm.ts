/**
 * What a file `arm.json` says of an arm. SI units, radians. The twin's convention: the robot frame
 * has its origin on axis 1 and z up; with every joint at its zero pose of the chain the frames of
 * all links are parallel to it, and the joints turn about z, y, y, z, y, z (yaw, pitch, pitch, roll,
 * pitch, roll). Masses, capsules and reaches are given in these frames.
 */

/**
 * Where the numbers of a group come from: confirmed (a public source or a published reply), estimate
 * (derived), own (the twin's choice).
 */
export interface ArmGroup {
  readonly mark: 'confirmed' | 'estimate' | 'own';
  readonly sources?: readonly string[];
}

/** Axis of a joint in its own frame, with the direction in which its angle grows. */
export type JointAxis = '+z' | '-z' | '+y' | '-y';

export interface ArmJoint {
  /** Origin of the joint's frame in the frame before it, where all frames are parallel (m). */
  readonly offset_m: readonly number[];
  readonly axis: JointAxis;
  /** Angle about `axis` by which the joint's frame is turned at joint angle 0 (rad); default 0. */
  readonly zero_rad?: number;
  /** Lowest and highest angle that programs may use, at most a turn apart. */
  readonly software_limit_rad: readonly number[];
  /** The same of the end stops. */
  readonly mechanical_limit_rad: readonly number[];
}

/** Mass, centre of mass and inertia about it, in the link's joint frame. */
export interface ArmLink {
  readonly name: string;
  readonly mass_kg: number;
  readonly com_m: readonly number[];
  /** Ixx, Iyy, Izz, Ixy, Ixz, Iyz as tensor elements about the centre of mass, frame axes. */
  readonly inertia_kg_m2: readonly number[];
}

export interface ArmCapsule {
  readonly name: string;
  /** 0 is the base, 1 to 6 the moving links. */
  readonly link: number;
  readonly from_m: readonly number[];
  readonly to_m: readonly number[];
  readonly radius_m: number;
}

/** How far an arm of a level deviates from an ideal one. */
export interface ArmRealism {
  readonly repeatability_rad: readonly number[];
  readonly encoder_noise_rad: number;
  readonly velocity_noise_rad_s: number;
  readonly backlash_rad: number;
  readonly stiffness_n_m_per_rad: readonly number[];
  readonly latency_s: number;
  readonly friction: {
    readonly idle_share: number;
    readonly share_per_k: number;
    readonly least_share: number;
  };
}

/** A servo of an arm that is made of them. */
export interface ArmServo {
  /** Its id on the bus. */
  readonly id: number;
  /** The joint that it drives, 0 to 5; the first of a joint leads, others follow it. */
  readonly joint: number;
  /** Name of its model, such as XM430-W350. */
  readonly model: string;
  /** Whether it is mounted against its joint, and counts in reverse for that. */
  readonly reverse?: boolean;
}

/** The servo of an arm's gripper: its places, and the signals that command it and that it tells. */
export interface ArmGripperServo {
  /** Its id on the bus. */
  readonly id: number;
  readonly model: string;
  /** Its positions (steps) with the jaws open and shut. */
  readonly open_ticks: number;
  readonly closed_ticks: number;
  /** Distance of the fingers shut and open (m). */
  readonly opening_m: readonly number[];
  /** Share of its current at stall with which it grips. */
  readonly grip_share: number;
  /** Output that closes it, and input that is on while it grips something. */
  readonly output: string;
  readonly part_present_input: string;
}

export interface Arm {
  readonly $schema?: string;
  readonly about: string;
  readonly chain: ArmGroup & { readonly joints: readonly ArmJoint[] };
  readonly flange: ArmGroup & { readonly offset_m: readonly number[] };
  readonly ratings: ArmGroup & {
    readonly mass_kg: number;
    readonly payload_max_kg: number;
    readonly reach_m: number;
    readonly joint_speed_rad_s: number;
  };
  readonly motion: ArmGroup & {
    readonly velocity_max_rad_s: readonly number[];
    readonly acceleration_max_rad_s2: readonly number[];
    readonly jerk_max_rad_s3: readonly number[];
    readonly tool_acceleration_max_m_s2: number;
  };
  readonly energy: ArmGroup & {
    readonly tool_max_j: number;
    readonly joint_max_j: readonly number[];
  };
  readonly links: ArmGroup & { readonly mass_scale: number; readonly list: readonly ArmLink[] };
  readonly collision: ArmGroup & {
    readonly capsules: readonly ArmCapsule[];
    /** Pairs of links that can collide within the joint limits. */
    readonly self_pairs: readonly (readonly number[])[];
    /** Links that a tool can collide with. */
    readonly tool_pairs: readonly number[];
    /**
     * Largest distance of the capsule ends of links 1 to 6 and of the flange centre (columns) from
     * each axis (rows) over the joints between (m).
     */
    readonly axis_reach_m: readonly (readonly number[])[];
    readonly axis_reach_guard_m: number;
  };
  readonly payload: ArmGroup & {
    readonly radius_m: number;
    readonly offset_beyond_flange_m: number;
  };
  readonly drive: ArmGroup & {
    readonly armature_kg_m2: readonly number[];
    readonly viscous_n_m_s: readonly number[];
    readonly coulomb_n_m: readonly number[];
    readonly coulomb_smooth_rad_s: number;
    readonly torque_max_n_m: readonly number[];
    readonly servo_bandwidth_rad_s: number;
    readonly braking_rad_s2: readonly number[];
    readonly following_error_rad: readonly number[];
    readonly setpoint_step_max_rad: number;
    readonly stop_stiffness_n_m: readonly number[];
    readonly stop_damping_n_m_s: readonly number[];
  };
  readonly detection: ArmGroup & {
    readonly observer_gain_per_s: number;
    readonly threshold_n_m: readonly number[];
    /** The same on servos, which lag, have play and count steps, at high sensitivity. */
    readonly servo_threshold_n_m: readonly number[];
    readonly sensitivity: { readonly high: number; readonly medium: number; readonly low: number };
    readonly reaction: {
      readonly force_bound_n: number;
      readonly force_released_n: number;
      readonly braking_rad_s2: number;
      readonly still_rad_s: number;
      readonly retreat_rad_s: number;
      readonly retreat_acceleration_rad_s2: number;
      readonly stretch_rad: number;
      readonly free_share: number;
      readonly felt_share: number;
      readonly blocked_n: number;
      readonly yield_damping_per_s: number;
      readonly yield_rad_s: number;
      readonly yield_max_rad: number;
    };
  };
  readonly thermal: ArmGroup & {
    readonly ambient_c: number;
    readonly idle_c: readonly number[];
    readonly winding_k_per_w: readonly number[];
    readonly heat_capacity_j_per_k: readonly number[];
    readonly resistance_w_per_n2m2: readonly number[];
    readonly friction_share: number;
  };
  readonly realism: ArmGroup & {
    readonly settle_rad: number;
    readonly twist_s: number;
    readonly typical: ArmRealism;
    readonly worn: ArmRealism;
  };
  readonly telemetry: ArmGroup & {
    readonly position_quantum_rad: number;
    readonly temperature_quantum_c: number;
  };
  /** Its servos as its maker sets them up; absent where they are not known. */
  readonly servos?: ArmGroup & {
    readonly family: string;
    readonly list: readonly ArmServo[];
    /** Absent: its gripper, if it has one, has no servo. */
    readonly gripper?: ArmGripperServo;
  };
}
