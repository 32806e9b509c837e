/** Whether the duration of a toolpath depends on signals. Pure. */
import type { Toolpath } from '../../contract/types.generated.ts';

interface ConditionStep {
  readonly type?: unknown;
  readonly condition?: { readonly type?: unknown };
}

/** Signals decide where a toolpath branches on them, or waits for them. */
function dependsOnSignals(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { type, condition } = value as ConditionStep;
  if (type === 'if' || (type === 'wait' && condition?.type !== 'time')) return true;
  return Object.values(value).some(dependsOnSignals);
}

const openEnded = new WeakMap<Toolpath, boolean>();

/** Whether the duration of a toolpath depends on signals; found out once for each. */
export function isOpenEnded(toolpath: Toolpath): boolean {
  const before = openEnded.get(toolpath);
  if (before !== undefined) return before;
  const { timeline, routines = [] } = toolpath;
  const found = dependsOnSignals([timeline, routines]);
  openEnded.set(toolpath, found);
  return found;
}
