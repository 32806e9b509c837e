import type { Toolpath } from '../../contract/types.generated.ts';

/** The label of a waypoint, or a name made from its id. */
export function waypointName(toolpath: Toolpath, index: number): string {
  const waypoint = toolpath.waypoints[index];
  return waypoint?.label ?? `Waypoint ${waypoint?.label_text ?? waypoint?.label_id ?? index}`;
}
