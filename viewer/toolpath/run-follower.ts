/** Holds the arm against the plan while it runs the toolpath that is open. */
import { createTool } from '../../physics/kinematics/tool.ts';
import { type ArmStore, type ArmView, isUnderWay } from '../link/arm-store.ts';
import { DeviationTrace } from './deviation.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import { tipOf } from './track.ts';

/** Whether the arm runs a toolpath of that name. */
function runs({ link, snapshot }: ArmView, name: string | undefined): boolean {
  if (link !== 'live' || !snapshot || !name) return false;
  return isUnderWay(snapshot) && snapshot.control.toolpath_name === name;
}

/** Follows every run; `moved` is told where the tool really is (m). */
export function followRuns(
  store: ToolpathStore,
  arm: ArmStore,
  moved: (tip: readonly [number, number, number]) => void,
): void {
  let trace: DeviationTrace | null = null;
  arm.subscribe((view, before) => {
    const { origin, way, opened } = store.view();
    const { snapshot } = view;
    if (!way || !opened || !snapshot || !runs(view, origin?.name)) {
      trace = null;
      return;
    }
    const position = snapshot['servos.telemetry.position'];
    if (trace && position === before.snapshot?.['servos.telemetry.position']) return;
    const tool = createTool(opened.toolpath.metadata.tcp_config);
    trace ??= new DeviationTrace(way, tool);
    trace.take(position);
    moved(tipOf(position, tool));
    store.set({ followed: { trace, count: trace.deviations.length } });
  });
  store.subscribe((view, before) => {
    if (view.way === before.way) return;
    trace = null;
    if (view.followed) store.set({ followed: null });
  });
}
