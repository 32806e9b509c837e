/** Follows the deviation while the arm runs the open toolpath. */

import { createTool } from '../../physics/kinematics/tool.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { type ArmView, isMotionActive } from '../link/arm-view.ts';
import { createTwinClock } from '../link/twin-clock.ts';
import { onChange } from '../ui/view-store.ts';
import { DeviationTrace } from './deviation.ts';
import { toolTipAt } from './path-samples.ts';
import type { ToolpathStore } from './toolpath-store.ts';

const NOT_YET = 'The arm is not on the path yet.';

/** Whether the arm runs the toolpath with that name. */
function runs({ link, snapshot }: ArmView, name: string | undefined): boolean {
  if (link !== 'live' || !snapshot || !name) return false;
  return isMotionActive(snapshot) && snapshot.control.toolpath_name === name;
}

/** Tracks every run; calls `moved` with the measured tool tip (m) and the time of the arm (ms). */
export function trackDeviation(
  store: ToolpathStore,
  arm: ArmStore,
  moved: (tip: readonly [number, number, number], at_ms: number) => void,
): void {
  const clock = createTwinClock();
  let trace: DeviationTrace | null = null;
  onChange(arm.whole, (view, before) => {
    const { origin, path, opened, replay } = store.view();
    const { snapshot } = view;
    if (!path || !opened || replay !== null || !snapshot || !runs(view, origin?.name)) {
      trace = null;
      return;
    }
    const position = snapshot['servos.telemetry.position'];
    if (trace && position === before.snapshot?.['servos.telemetry.position']) return;
    const tool = createTool(opened.toolpath.metadata.tcp_config);
    trace ??= new DeviationTrace(path, tool);
    trace.addPose(position);
    moved(toolTipAt(position, tool), 1000 * clock(view));
    const { deviations } = trace;
    store.set({ runDeviation: { deviations, most: trace.max(), why: NOT_YET } });
  });
  onChange(store.shown.path, () => {
    trace = null;
    if (store.view().runDeviation) store.set({ runDeviation: null });
  });
}
