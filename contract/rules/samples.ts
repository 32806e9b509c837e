/**
 * Request bodies of rules: small toolpaths around the current pose, and a workflow without the arm.
 */
import type { Action, Hook, Joints, Toolpath } from '../types.ts';

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
