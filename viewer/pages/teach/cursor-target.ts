/** Moves the target pose with the cursor and the selection of the toolpath. */

import type { Joints } from '../../../contract/types.generated.ts';
import { createTrajectoryPoint, sampleTimedPath } from '../../toolpath/timed-path.ts';
import { actionAt, waypointsOf } from '../../toolpath/toolpath-edit.ts';
import { belongsTo, type ToolpathStore } from '../../toolpath/toolpath-store.ts';
import type { ToolpathView } from '../../toolpath/toolpath-view.ts';
import { onChange } from '../../ui/view-store.ts';
import type { TargetPose } from './target-pose.ts';

const trajectoryPoint = createTrajectoryPoint();

/** The waypoint of a newly selected step whose start is at the cursor; otherwise null. */
function chosenWaypoint({ opened, selected, path, cursor_s }: ToolpathView): Joints | null {
  const action = opened && actionAt(opened.toolpath, selected);
  const [index] = action ? waypointsOf(action) : [];
  if (!opened || index === undefined || selected === null) return null;
  const own = path?.segments.filter((segment) => belongsTo(selected, segment)) ?? [];
  const atStart = own.length === 0 || own.some(({ start_s }) => start_s === cursor_s);
  return atStart ? (opened.toolpath.waypoints[index]?.joints ?? null) : null;
}

/**
 * Moves the ghost to the waypoint of a selected step, or to the pose at the cursor when the user
 * moves it. Edits leave the ghost in place.
 */
export function syncTargetWithCursor(store: ToolpathStore, target: TargetPose): void {
  onChange(store.whole, (view, before) => {
    const edited = view.opened !== before.opened || view.path !== before.path;
    const moved = view.cursor_s !== before.cursor_s || view.selected !== before.selected;
    if (edited || !moved || view.selected === null) return;
    const waypoint = view.selected === before.selected ? null : chosenWaypoint(view);
    if (waypoint) target.show(waypoint);
    else if (view.path && view.cursor_s !== before.cursor_s) {
      sampleTimedPath(view.path, view.cursor_s, trajectoryPoint);
      target.show([...trajectoryPoint.joints] as Joints);
    }
  });
}
