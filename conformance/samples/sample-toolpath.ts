/** Small toolpaths around the current pose, for rules. */
import type { Action, Joints, Toolpath } from '../../contract/types.generated.ts';

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
