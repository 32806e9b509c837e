/**
 * Edits of a toolpath, addressed by JSON pointers. Each function returns a changed copy that shares
 * unchanged parts, so that 200 undo steps cost little, and the selection after the edit. Waypoint
 * indices stay consistent with the list. Pure.
 */

import { limits } from '../../contract/limits.ts';
import type { Action, Joints, Toolpath, Waypoint } from '../../contract/types.generated.ts';
import { allActions } from './placed-action.ts';

function stepsOf(pointer: string): readonly string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/');
}

/** The value at a pointer, or undefined. */
export function valueAt(root: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined,
    root,
  );
}

function changed(at: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const copy = Array.isArray(at) ? [...at] : { ...(at as object) };
  const record = copy as Record<string, unknown>;
  record[step] = changed(record[step], rest, value);
  return copy;
}

/** A copy with another value at a pointer; everything off that path is shared. */
export function withValue<Root>(root: Root, pointer: string, value: unknown): Root {
  return changed(root, stepsOf(pointer), value) as Root;
}

/** The list that contains an element, and its index: `/timeline/3` is 3 of `/timeline`. */
export function listElementOf(pointer: string): { readonly list: string; readonly index: number } {
  const cut = pointer.lastIndexOf('/');
  return { list: pointer.slice(0, cut), index: Number(pointer.slice(cut + 1)) };
}

/** A toolpath and the pointer of the selection in it. */
export interface EditResult {
  readonly toolpath: Toolpath;
  readonly selected: string | null;
}

/** Insertion point of an action: before the action with that index in that timeline. */
export interface InsertionPoint {
  readonly list: string;
  readonly index: number;
}

/** A toolpath without waypoints; it needs one before it can be built. */
export function emptyToolpath(): Toolpath {
  return {
    metadata: {
      version: 2,
      default_max_speed: limits.speed_go_to_default_m_per_s,
      next_label_id: 1,
      payload: 0,
      analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    },
    waypoints: [],
    timeline: [],
  };
}

/** Whether nothing has been added to a new toolpath yet: it is not wrong, it has not begun. */
export function isUnbegun({ waypoints, timeline }: Toolpath): boolean {
  return waypoints.length === 0 && timeline.length === 0;
}

/** The actions of the timeline at a pointer; empty if there is none. */
export function timelineAt(toolpath: Toolpath, list: string): readonly Action[] {
  const found = valueAt(toolpath, list);
  return Array.isArray(found) ? found : [];
}

/** Whether a pointer refers to a branch or a routine: both contain actions and are not actions. */
function holdsActions(pointer: string): boolean {
  return /\/branches\/\d+$|^\/routines\/\d+$/.test(pointer);
}

/** The action at a pointer; null if there is none. */
export function actionAt(toolpath: Toolpath, pointer: string | null): Action | null {
  if (pointer === null || !/\/timeline\/\d+$/.test(pointer)) return null;
  return (valueAt(toolpath, pointer) as Action | undefined) ?? null;
}

/**
 * Insertion point for an addition: after the selected action, or at the end of the selected branch
 * or routine.
 */
export function placeAfter(toolpath: Toolpath, selected: string | null): InsertionPoint {
  const own = selected?.replace(/\/else$/, '') ?? '';
  if (holdsActions(own) && valueAt(toolpath, own)) {
    const list = `${own}/timeline`;
    return { list, index: timelineAt(toolpath, list).length };
  }
  if (!actionAt(toolpath, own)) return { list: '/timeline', index: toolpath.timeline.length };
  const { list, index } = listElementOf(own);
  return { list, index: index + 1 };
}

/** Inserts an action and selects it. */
export function insertAction(
  toolpath: Toolpath,
  { list, index }: InsertionPoint,
  action: Action,
): EditResult {
  const changed = timelineAt(toolpath, list).toSpliced(index, 0, action);
  return { toolpath: withValue(toolpath, list, changed), selected: `${list}/${index}` };
}

/** The toolpath with a waypoint appended. */
export function withWaypoint(toolpath: Toolpath, joints: Joints): Toolpath {
  const { metadata, waypoints } = toolpath;
  const used = waypoints.map(({ label_id }) => label_id);
  const label_id = Math.max(metadata.next_label_id, 1, ...used.map((id) => Math.floor(id) + 1));
  return {
    ...toolpath,
    metadata: { ...metadata, next_label_id: label_id + 1 },
    waypoints: [...waypoints, { label_id, joints }],
  };
}

/** Purpose of a new waypoint. */
export interface NewWaypoint {
  readonly joints: Joints;
  readonly selected: string | null;
  readonly passes?: boolean;
}

/** Adds a waypoint and a move to it; the first one of a toolpath becomes its home. */
export function addWaypoint(
  toolpath: Toolpath,
  { joints, selected, passes }: NewWaypoint,
): EditResult {
  const more = withWaypoint(toolpath, joints);
  const waypoint_id = toolpath.waypoints.length;
  if (!toolpath.timeline.some(({ type }) => type === 'home')) {
    return insertAction(more, { list: '/timeline', index: 0 }, { type: 'home', waypoint_id });
  }
  const action: Action = passes
    ? { type: 'trajectory', waypoint_id, pass_through: true }
    : { type: 'trajectory', waypoint_id, trajectory: 'joint_space' };
  return insertAction(more, placeAfter(toolpath, selected), action);
}

/** Changes the joints or the label of a waypoint. */
export function changeWaypoint(
  toolpath: Toolpath,
  index: number,
  change: (waypoint: Waypoint) => Waypoint,
): Toolpath {
  const waypoint = toolpath.waypoints[index];
  return waypoint ? withValue(toolpath, `/waypoints/${index}`, change(waypoint)) : toolpath;
}

/** Indices of the waypoints that an action refers to. */
export function waypointsOf(action: Action): readonly number[] {
  if (action.type === 'grid') return [action.w0, action.wx, action.wy];
  return action.type === 'home' || action.type === 'trajectory' ? [action.waypoint_id] : [];
}

function renumbered(action: Action, number: (old: number) => number): Action {
  if (action.type === 'grid') {
    const { w0, wx, wy } = action;
    return { ...action, w0: number(w0), wx: number(wx), wy: number(wy) };
  }
  if (action.type !== 'home' && action.type !== 'trajectory') return action;
  return { ...action, waypoint_id: number(action.waypoint_id) };
}

function usedBy(toolpath: Toolpath): ReadonlySet<number> {
  return new Set(allActions(toolpath).flatMap(({ action }) => waypointsOf(action)));
}

/** Removes the waypoints that were referred to before the edit and no longer are. */
function withoutOrphans(before: Toolpath, after: Toolpath): Toolpath {
  const used = usedBy(after);
  const orphans = new Set([...usedBy(before)].filter((index) => !used.has(index)));
  if (orphans.size === 0) return after;
  let left = 0;
  const numbers = after.waypoints.map((_, index) => (orphans.has(index) ? -1 : left++));
  const waypoints = after.waypoints.filter((_, index) => !orphans.has(index));
  return allActions(after).reduce<Toolpath>(
    (toolpath, { at }) => {
      const action = valueAt(toolpath, at) as Action;
      return withValue(
        toolpath,
        at,
        renumbered(action, (old) => numbers[old] ?? old),
      );
    },
    { ...after, waypoints },
  );
}

/** Removes an action, branch or routine, and the waypoints that only it used. */
export function removeAt(toolpath: Toolpath, pointer: string): EditResult {
  const { list, index } = listElementOf(pointer);
  const items = valueAt(toolpath, list);
  if (!Array.isArray(items) || items[index] === undefined) return { toolpath, selected: null };
  const rest = items.toSpliced(index, 1);
  const next = Math.min(index, rest.length - 1);
  const holder = list.replace(/\/(timeline|branches)$/, '');
  return {
    toolpath: withoutOrphans(toolpath, withValue(toolpath, list, rest)),
    selected: next >= 0 ? `${list}/${next}` : holder || null,
  };
}

/** All insertion points within a timeline and its nested timelines, in program order. */
function placesIn(toolpath: Toolpath, list: string): InsertionPoint[] {
  const actions = timelineAt(toolpath, list);
  const within = actions.map((action, i) => {
    const at = `${list}/${i}`;
    if (action.type === 'grid') return placesIn(toolpath, `${at}/timeline`);
    if (action.type !== 'if') return [];
    return action.branches.flatMap((_, b) => placesIn(toolpath, `${at}/branches/${b}/timeline`));
  });
  return [{ list, index: 0 }, ...within.flatMap((inner, i) => [...inner, { list, index: i + 1 }])];
}

function swapped(toolpath: Toolpath, pointer: string, by: 1 | -1): EditResult {
  const { list, index } = listElementOf(pointer);
  const items = valueAt(toolpath, list) as readonly unknown[];
  const to = index + by;
  if (to < 0 || to >= items.length) return { toolpath, selected: pointer };
  const changed = items.with(index, items[to]).with(to, items[index]);
  return { toolpath: withValue(toolpath, list, changed), selected: `${list}/${to}` };
}

/**
 * Moves an action up or down by one place, into and out of grids and branches. Branches and
 * routines swap places with their neighbour.
 */
export function moveBy(toolpath: Toolpath, pointer: string, by: 1 | -1): EditResult {
  if (holdsActions(pointer)) return swapped(toolpath, pointer, by);
  const action = actionAt(toolpath, pointer);
  if (!action) return { toolpath, selected: pointer };
  const { list, index } = listElementOf(pointer);
  const without = withValue(toolpath, list, timelineAt(toolpath, list).toSpliced(index, 1));
  const root = /^\/routines\/\d+\/timeline|^\/timeline/.exec(pointer)![0];
  const places = placesIn(without, root);
  const now = places.findIndex((place) => place.list === list && place.index === index);
  const place = places[now + by];
  return place ? insertAction(without, place, action) : { toolpath, selected: pointer };
}

/** Renames a routine and its calls. */
export function renameRoutine(toolpath: Toolpath, index: number, name: string): Toolpath {
  const old = toolpath.routines?.[index]?.name;
  const renamed = withValue(toolpath, `/routines/${index}/name`, name);
  return allActions(renamed).reduce<Toolpath>((changed, { at, action }) => {
    if (action.type !== 'call-routine' || (action.routine ?? action.name) !== old) return changed;
    return withValue(changed, at, { type: 'call-routine', routine: name });
  }, renamed);
}
