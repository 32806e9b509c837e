/**
 * Test code: the request that produces each motion error code of §2.4, as a client would send it: a
 * toolpath to build or a calculation. Core and service tests share this table.
 */

import { limits } from '../../contract/limits.ts';
import type { MotionError } from '../../contract/motion-errors.ts';
import type {
  Action,
  Axis,
  InverseKinematicsBody,
  Joints,
  NudgeBody,
  Toolpath,
  ToolpathMetadata,
} from '../../contract/types.generated.ts';

/** One request whose reply names the code. */
export type Probe =
  | { readonly call: 'calcToolpath'; readonly body: Toolpath }
  | { readonly call: 'nudge'; readonly body: NudgeBody }
  | { readonly call: 'inverseKinematics'; readonly body: InverseKinematicsBody };

const BASE: Joints = [0, 0.2, -1.2, 0, -1.2, 0];

function move(trajectory: 'joint_space' | 'linear' | 'spline', more: object = {}): Action {
  return { type: 'trajectory', trajectory, waypoint_id: 1, ...more };
}

function pass(waypoint_id: number): Action {
  return { type: 'trajectory', pass_through: true, waypoint_id };
}

function build(
  poses: readonly Joints[],
  actions: Action[],
  metadata: Partial<ToolpathMetadata> = {},
): Probe {
  const body: Toolpath = {
    metadata: {
      version: 2,
      default_max_speed: 0.5,
      payload: 0,
      next_label_id: 1000,
      analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
      ...metadata,
    },
    waypoints: poses.map((joints, label_id) => ({ label_id, joints })),
    timeline: [{ type: 'home', waypoint_id: 0 }, ...actions],
  };
  return { call: 'calcToolpath', body };
}

function linear(from: Joints, to: Joints): Probe {
  return build([from, to], [move('linear')]);
}

/** Joint `joint` alone by `travel` rad in `time` s. */
function hurry(joint: number, travel: number, time: number, from = BASE, payload = 0): Probe {
  const goal = from.map((angle, j) => (j === joint ? angle + travel : angle)) as Joints;
  const metadata = { payload, default_max_speed: limits.speed_automatic_m_per_s };
  return build([from, goal], [move('joint_space', { time })], metadata);
}

const STRETCHED: Joints = [0, -1.2, -0.2, 0, -0.2, 0];

/** As `hurry`, with full payload: at 5 to 10 % less than the shortest time. */
function laden(joint: number, travel: number, time: number, from = BASE): Probe {
  return hurry(joint, travel, time, from, limits.payload_max_kg);
}

/** A turn of the base with a tool as long as an arm. */
function swing(length: number, travel: number, time: number): Probe {
  const from: Joints = [0, 0, -0.2, 0, -1.5, 0];
  const goal: Joints = [travel, 0, -0.2, 0, -1.5, 0];
  const tcp_config = {
    offsets: { x: 0, y: 0, z: length },
    rotations: { x: 0, y: 0, z: 0 },
    radius: 0.005,
  };
  return build([from, goal], [move('joint_space', { time })], { tcp_config });
}

function reach(joints: Joints, start = BASE): Probe {
  return build([start, joints], [move('joint_space')]);
}

function nudged(joints: Joints, direction: Axis, offset: number): Probe {
  return { call: 'nudge', body: { joints, direction, offset } };
}

function outside(joint: number, angle: number): Probe {
  return reach(BASE.map((value, j) => (j === joint ? angle : value)) as Joints);
}

function inverse(
  orientation: { w: number; x: number; y: number; z: number },
  [x, y, z]: readonly [number, number, number],
): Probe {
  const guess: Joints = [0, -0.5, -1.2, 0, -1.2, 0];
  return { call: 'inverseKinematics', body: { guess, position: { x, y, z }, orientation } };
}

const AWKWARD = {
  w: 0.07427002768306651,
  x: 0.67945606957771,
  y: 0.27083717573175786,
  z: -0.6778426342032577,
};

const post = {
  name: 'post',
  position: { x: 0.2, y: 0.15, z: 0 },
  orientation: { w: 1, x: 0, y: 0, z: 0 },
  dimensions: { x: 0.3, y: 0.02, z: 1 },
  avoid: 'inside',
} as const;

const many = limits.pass_through_waypoints + 1;
const manyPasses = Array.from({ length: many }, (_, i) => pass(2 + i));
const manyPoses = Array.from(
  { length: many + 2 },
  (_, i): Joints => [0.001 * i, 0.2, -1.2, 0, -1.2, 0],
);

/** Travels of the six joints from BASE (rad). */
const FAR = [1.2, -0.9, -1.2, 1.2, -1.2, 1.2];
const NEAR = [0.3, -0.3, -0.3, 0.3, -0.3, 0.3];

/** The probe of each joint for the codes that name one: `j0_…` to `j5_…`. */
function eachJoint(
  code: string,
  angles: readonly number[],
  probe: (joint: number, angle: number) => Probe,
): Record<string, Probe> {
  return Object.fromEntries(angles.map((angle, j) => [`j${j}_${code}`, probe(j, angle)]));
}

/** The request that produces each code. */
export const PRODUCED: Partial<Record<MotionError, Probe>> = {
  shoulder_singularity: nudged([1.58, 0.23, -0.6, -0.56, -0.36, -0.46], 'y', -0.2),
  shoulder_singularity_warning: linear(
    [1.372, -0.048, -0.358, 1.733, -1.49, -0.047],
    [1.519, 0.32, -0.597, 1.779, -0.944, 0.151],
  ),
  elbow_singularity: nudged([-0.37, 0.85, 0.01, 0.47, -1.88, 0.51], 'x', -0.2),
  elbow_singularity_warning: linear(
    [2.426, -1.553, -0.144, 0.706, -0.566, -1.371],
    [1.84, -1.271, -0.065, 0.585, -1.046, -0.969],
  ),
  wrist_singularity: nudged([0.95, -1.21, 0.18, -1.12, -1.58, 1.12], 'x', 0.2),
  wrist_singularity_warning: linear(
    [2.053, 0.523, -2.754, -0.153, -0.06, -2.838],
    [1.486, 0.109, -2.192, -0.383, 0.148, -2.484],
  ),
  analytical_ik_failure: inverse(AWKWARD, [0.105, -0.265, 0.79]),
  ...eachJoint('boundary_limit', [3.13, 1.3, -2.8, -3.13, 0.2, 3.13], outside),
  reach_limit: inverse({ w: 1, x: 0, y: 0, z: 0 }, [2, 0, 0.4]),
  linear_path_calculation_error: linear(
    [0.946, -1.212, 0.184, -1.12, -1.585, 1.124],
    [1.317, -0.968, -0.321, -0.984, -1.213, 0.938],
  ),
  cubic_path_calculation_error: build(
    [BASE, [0.3, 0.2, -1.2, 0, -1.2, 0]],
    [pass(0), move('spline')],
  ),
  ...eachJoint('angular_velocity_limit', FAR, (joint, travel) =>
    hurry(joint, travel, 0.72 * Math.abs(travel)),
  ),
  ...eachJoint('angular_acceleration_limit', NEAR, (joint, travel) => hurry(joint, travel, 0.42)),
  ee_over_speed: swing(0.6, 1.5, 1),
  ee_over_acceleration: swing(1.2, 0.4, 0.55),
  ee_over_energy: laden(0, 2.4, 1.45, STRETCHED),
  j0_over_energy: hurry(0, 2.4, 1.35, STRETCHED, 0.9),
  j1_over_energy: laden(1, -0.9, 0.7),
  j2_over_energy: laden(2, -1.2, 0.88),
  j3_over_energy: laden(3, 1.2, 0.84),
  j4_over_energy: laden(4, -1.2, 0.88),
  j5_over_energy: laden(5, 1.2, 0.81),
  plane_collision: reach([0, -2.3, 0, 0, 0, 0]),
  self_collision: reach([-2.18, 0.61, -2.77, 2.7, 0.17, 0], [-2.18, 0.61, -2.6, 2.7, 0.17, 0]),
  object_collision: build([BASE, [1, 0.2, -1.2, 0, -1.2, 0]], [move('joint_space')], {
    avoidance_zones: [{ ...post, dimensions: { ...post.dimensions } }],
  }),
  generation_error: build(
    Array.from({ length: 67 }, (_, i): Joints => [0.01 * i, 0.2, -1.2, 0, -1.2, 0]),
    [
      {
        type: 'if',
        branches: Array.from({ length: 66 }, (_, i) => ({
          condition: {
            type: 'input',
            io: { location: 'base', type: 'digital', index: 0 },
            value: true,
          },
          timeline: [{ type: 'trajectory', trajectory: 'joint_space', waypoint_id: i + 1 }],
        })),
      },
      move('joint_space'),
    ],
  ),
  result_generation_error: build(
    [BASE, [0.3, 0.2, -1.2, 0, -1.2, 0]],
    [move('joint_space', { time: 2001 })],
  ),
  time_too_short: hurry(0, 1, 0.1),
  time_too_short_switched_to_min_time: hurry(0, 1, 1),
  too_few_waypoints: build([BASE, [0.3, 0.2, -1.2, 0, -1.2, 0]], [move('spline')]),
  too_many_waypoints: build(manyPoses, [...manyPasses, move('spline')]),
};

/** Codes of motions that can be made; replies do not carry them (D23). */
export const WARNINGS: readonly MotionError[] = [
  'shoulder_singularity_warning',
  'elbow_singularity_warning',
  'wrist_singularity_warning',
  'time_too_short_switched_to_min_time',
];

/** The reason why no request produces a code. */
export const IMPOSSIBLE: Partial<Record<MotionError, string>> = {
  unknown: 'every failure of the planner is one of the other codes',
  singularity: 'names a lost branch far from all three singularities; none is known',
  ik_failure: 'the schema accepts valid poses only, and no search has exceeded its budget',
  velocity_calculation_error: 'joint rates are exact derivatives of the path; none can be missing',
  acceleration_calculation_error: 'as velocity_calculation_error',
  could_not_calculate_min_time: 'every planned path has a timing: rest to rest, slow enough',
};
