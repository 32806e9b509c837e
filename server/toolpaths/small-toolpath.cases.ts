/** A toolpath that is stored and built but never run. Test code. */
import type { Toolpath } from '../../contract/types.generated.ts';

/** Home, to a second waypoint, and back. */
export function smallToolpath(): Toolpath {
  return {
    metadata: {
      version: 2,
      default_max_speed: 0.25,
      next_label_id: 3,
      payload: 0,
      analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    },
    waypoints: [
      { label_id: 1, joints: [0, 0.5, -1.7, 0, -1.2, 0] },
      { label_id: 2, joints: [0.2, 0.5, -1.7, 0, -1.2, 0] },
    ],
    timeline: [
      { type: 'home', waypoint_id: 0 },
      { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 },
      { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 },
    ],
  };
}
