/**
 * Whether signals decide how long a toolpath takes: it branches on them, or waits for them. Pure.
 */
import type { Toolpath } from '../../contract/types.ts';

interface Step {
  readonly type?: unknown;
  readonly condition?: { readonly type?: unknown };
}

function dependsOnSignals(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { type, condition } = value as Step;
  if (type === 'if' || (type === 'wait' && condition?.type !== 'time')) return true;
  return Object.values(value).some(dependsOnSignals);
}

const known = new WeakMap<Toolpath, boolean>();

/** Whether the duration of a toolpath depends on signals; found out once for each. */
export function isOpenEnded(toolpath: Toolpath): boolean {
  const before = known.get(toolpath);
  if (before !== undefined) return before;
  const { timeline, routines = [] } = toolpath;
  const found = dependsOnSignals([timeline, routines]);
  known.set(toolpath, found);
  return found;
}
