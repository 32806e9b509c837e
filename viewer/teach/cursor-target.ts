/**
 * Takes the ghost to what is looked at in the toolpath: the waypoint of a step that is selected,
 * or the pose under the cursor while it is moved. Edits leave the ghost where it is.
 */
import type { Joints } from '../../contract/types.ts';
import type { ToolpathStore, ToolpathView } from '../toolpath/toolpath-store.ts';
import { belongsTo } from '../toolpath/toolpath-store.ts';
import { createStretchMoment, sampleWay } from '../toolpath/way.ts';
import type { Target } from './target.ts';
import { actionAt, waypointsOf } from './toolpath-edit.ts';

const moment = createStretchMoment();

/** The waypoint of a step whose start the cursor has been taken to; null elsewhere on the way. */
function chosenWaypoint({ opened, selected, way, cursor_s }: ToolpathView): Joints | null {
  const action = opened && actionAt(opened.toolpath, selected);
  const [index] = action ? waypointsOf(action) : [];
  if (!opened || index === undefined || selected === null) return null;
  const own = way?.stretches.filter((stretch) => belongsTo(selected, stretch)) ?? [];
  const atStart = own.length === 0 || own.some(({ start_s }) => start_s === cursor_s);
  return atStart ? (opened.toolpath.waypoints[index]?.joints ?? null) : null;
}

/** Keeps the ghost with the selection and the cursor that the user moves. */
export function followCursor(store: ToolpathStore, target: Target): void {
  store.subscribe((view, before) => {
    const edited = view.opened !== before.opened || view.way !== before.way;
    const moved = view.cursor_s !== before.cursor_s || view.selected !== before.selected;
    if (edited || !moved || view.selected === null) return;
    const waypoint = view.selected === before.selected ? null : chosenWaypoint(view);
    if (waypoint) target.show(waypoint);
    else if (view.way && view.cursor_s !== before.cursor_s) {
      sampleWay(view.way, view.cursor_s, moment);
      target.show([...moment.joints] as Joints);
    }
  });
}
