/**
 * Request bodies of rules: small toolpaths around the current pose, a workflow without the
 * arm, and a cell.
 */
import type { Action, Cell, Hook, Joints, Toolpath } from '../types.ts';

/** A hook to a port without a listener. */
export const UNREACHABLE_HOOK = { parameters: { url: 'http://127.0.0.1:9/hooks' } } as const;

/** Duration of the sample workflow (s): two moves of 1 s, two tasks. */
export const WORK_S = 18;

const need = { labware_id: 'plate', destination_slot: 1 } as const;
const available_failure_actions = {
  retry: true,
  ignore: true,
  complete_manually: true,
  max_retries: 2,
};

/** A valid workflow: a plate goes through a washer and a reader. */
export function sampleWorkflow({ hooks = [] }: { readonly hooks?: readonly Hook[] } = {}) {
  return {
    name: 'rules workflow',
    workflow: {
      labware: [{ id: 'plate', starting_location: { instrument: 'hotel', slot: 1 } }],
      tasks: {
        wash: {
          instrument: { type: 'washer' },
          action: 'wash',
          time_estimate: 10,
          labware_sources: { plate: { ...need, type: 'stored_labware' } },
          available_failure_actions,
        },
        read: {
          instrument: { type: 'reader' },
          action: 'read',
          time_estimate: 6,
          labware_sources: { plate: { ...need, type: 'labware_source', source_task: 'wash' } },
          available_failure_actions,
        },
      },
      hooks: [...hooks],
    },
    workcell: {
      instruments: [
        { id: 'hotel', type: 'hotel', capacity: 4 },
        { id: 'washer', type: 'washer' },
        { id: 'reader', type: 'reader' },
        { id: 'arm', type: 'transport' },
      ],
      transport_matrix: { default: 1 },
    },
  };
}

export interface ToolpathOptions {
  readonly timeline?: readonly Action[];
  readonly metadata?: Partial<Toolpath['metadata']>;
  readonly routines?: Toolpath['routines'];
}

/** A pose within all joint limits, for toolpaths that never run. */
export const RESTING_POSE: Joints = [0, 0.5, -1.7, 0, -1.2, 0];

/** A timeline: home, to the second waypoint, a short wait, and back; a few seconds long. */
export function backAndForth(segment_s: number): Action[] {
  return [
    { type: 'home', waypoint_id: 0 },
    { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1, time: segment_s },
    { type: 'wait', condition: { type: 'time', duration: 0.2 } },
    { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0, time: segment_s },
  ];
}

/** A valid toolpath over the given poses. */
export function sampleToolpath(poses: readonly Joints[], options: ToolpathOptions = {}): Toolpath {
  const modes = { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' } as const;
  return {
    metadata: {
      version: 2,
      default_max_speed: 0.25,
      next_label_id: poses.length + 1,
      payload: 0,
      analog_modes: modes,
      ...options.metadata,
    },
    waypoints: poses.map((joints, i) => ({ label_id: i + 1, joints })),
    timeline: [...(options.timeline ?? backAndForth(1.5))],
    ...(options.routines ? { routines: options.routines } : {}),
  };
}

/** A toolpath to save and build, not to run. */
export function storedSample(): Toolpath {
  const turned: Joints = [...RESTING_POSE];
  turned[0] = 0.2;
  return sampleToolpath([RESTING_POSE, turned]);
}

const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;

/** A cell with a part of each kind, out of the way of the arm. */
export const SAMPLE_CELL: Cell = {
  name: 'one of each',
  fixtures: [
    {
      name: 'bench',
      position: { x: 2, y: 0, z: 0 },
      orientation: UPRIGHT,
      boxes: [
        {
          size_m: { x: 1, y: 1, z: 0.1 },
          position: { x: 0, y: 0, z: 0 },
          orientation: UPRIGHT,
        },
      ],
      nests: [
        { name: 'left', position: { x: 0, y: 0.2, z: 0.1 }, orientation: UPRIGHT },
        { name: 'right', position: { x: 0, y: -0.2, z: 0.1 } },
      ],
      friction: 0.4,
      stiffness_n_per_m: 20_000,
    },
  ],
  objects: [
    {
      name: 'plate',
      shape: { kind: 'microplate', height_m: 0.0144 },
      mass_kg: 0.06,
      friction: 0.3,
      nest: 'left',
      nests: [{ name: 'lid place', position: { x: 0, y: 0, z: 0.0144 } }],
    },
    {
      name: 'block',
      shape: { kind: 'box', size_m: { x: 0.04, y: 0.04, z: 0.04 } },
      mass_kg: 0.1,
      position: { x: 2.3, y: 0, z: 0.1 },
      orientation: UPRIGHT,
    },
    {
      name: 'can',
      shape: { kind: 'cylinder', diameter_m: 0.06, height_m: 0.1 },
      mass_kg: 0.2,
      position: { x: 2.3, y: 0.3, z: 0.1 },
    },
    {
      name: 'tube',
      shape: { kind: 'tube', diameter_m: 0.016, height_m: 0.08 },
      mass_kg: 0.01,
      position: { x: 2.3, y: -0.3, z: 0.1 },
    },
  ],
  grippers: [
    {
      kind: 'jaws',
      name: 'jaws',
      output: 'ee_d0',
      closes_on: true,
      tip_m: { x: 0, y: 0, z: 0.1 },
      jaw_angle_rad: 0.5,
      stroke_m: 0.1,
      pad_width_m: 0.02,
      pad_height_m: 0.01,
      force_n: 20,
      closing_time_s: 0.2,
      friction: 0.5,
      mass_kg: 0.1,
      part_present_input: 'ee_d0',
      closed_input: 'ee_d1',
    },
    {
      kind: 'suction',
      name: 'cup',
      output: 'ee_d1',
      closes_on: false,
      tip_m: { x: 0.05, y: 0, z: 0.1 },
      radius_m: 0.01,
      reach_m: 0.002,
      force_n: 10,
      closing_time_s: 0.1,
    },
  ],
  sensors: [
    {
      kind: 'beam',
      name: 'gate',
      input: 'd0',
      inverted: true,
      delay_s: 0.02,
      from: { x: 1.5, y: 0.2, z: 0.107 },
      to: { x: 2.5, y: 0.2, z: 0.107 },
    },
    {
      kind: 'presence',
      name: 'on the right',
      input: 'd1',
      position: { x: 2, y: -0.2, z: 0.11 },
      size_m: { x: 0.1, y: 0.1, z: 0.05 },
      orientation: UPRIGHT,
    },
    {
      kind: 'distance',
      name: 'range finder',
      input: 'a0',
      position: { x: 2.3, y: 0, z: 0.3 },
      direction: { x: 0, y: 0, z: -1 },
      range_m: 0.2,
      at_zero: 0,
      at_full_scale: 10,
    },
    {
      kind: 'weight',
      name: 'scale',
      input: 'a1',
      of: 'bench',
      full_scale_kg: 1,
      at_zero: 0,
      at_full_scale: 10,
    },
  ],
  conveyors: [
    {
      name: 'belt',
      position: { x: 2, y: 1, z: 0 },
      orientation: UPRIGHT,
      size_m: { x: 1, y: 0.2, z: 0.1 },
      speed_m_s: 0.1,
      output: 'd0',
      runs_on: true,
      friction: 0.8,
      encoder: { input: 'ee_a0', span_m: 0.5, at_zero: 0, at_full_scale: 10 },
    },
  ],
  controls: [
    { kind: 'button', name: 'start', input: 'd2', inverted: false },
    { kind: 'door', name: 'door', input: 'd3', inverted: true, stops: true },
  ],
};
