/**
 * Actions that can be added to a toolpath, as rows: label, precondition and edit. Actions that need
 * a pose take the target pose. Pure.
 */
import type { Action, Joints, Toolpath } from '../../../contract/types.generated.ts';
import {
  actionAt,
  addWaypoint,
  type EditResult,
  type InsertionPoint,
  insertAction,
  placeAfter,
  timelineAt,
  withValue,
} from '../../toolpath/toolpath-edit.ts';
import { firstCondition } from './io-conditions.ts';

/** Context of an addition. */
export interface EditContext {
  readonly toolpath: Toolpath;
  readonly selected: string | null;
  /** Joint angles of the target pose (rad). */
  readonly joints: Joints;
}

export interface NewAction {
  readonly label: string;
  /** States the missing precondition; empty if it is met. */
  readonly missing: (desk: EditContext) => string;
  readonly add: (desk: EditContext) => EditResult;
}

const CELL_CLEARANCE_M = 0.05;

function plain(action: (toolpath: Toolpath) => Action): NewAction['add'] {
  return ({ toolpath, selected }) =>
    insertAction(toolpath, placeAfter(toolpath, selected), action(toolpath));
}

const nothing = (): string => '';

function newGrid({ waypoints }: Toolpath): Action {
  const last = waypoints.length - 1;
  const clear: Action = { type: 'grid-waypoint', z_offset: CELL_CLEARANCE_M };
  const timeline: Action[] = [clear, { type: 'grid-waypoint', z_offset: 0 }, clear];
  return { type: 'grid', cols: 2, rows: 2, w0: last - 2, wx: last - 1, wy: last, timeline };
}

/**
 * Insertion point of a move to a cell: in the selected grid, or in the grid around the selection.
 */
function cellPlace({ toolpath, selected }: EditContext): InsertionPoint | null {
  if (actionAt(toolpath, selected)?.type === 'grid') {
    const list = `${selected}/timeline`;
    return { list, index: timelineAt(toolpath, list).length };
  }
  const place = placeAfter(toolpath, selected);
  const steps = place.list.split('/');
  const around = steps.map((_, i) => steps.slice(0, i + 1).join('/'));
  return around.some((at) => actionAt(toolpath, at)?.type === 'grid') ? place : null;
}

/** Pointer of the `if` that is selected or whose branch is selected. */
function ifAround({ toolpath, selected }: EditContext): string | null {
  const at = selected?.replace(/\/(branches\/\d+|else)$/, '') ?? '';
  return timelineAt(toolpath, `${at}/branches`).length > 0 ? at : null;
}

function addBranch(desk: EditContext): EditResult {
  const at = ifAround(desk)!;
  const branches = timelineAt(desk.toolpath, `${at}/branches`);
  const more = [...branches, { condition: firstCondition('input'), timeline: [] }];
  return {
    toolpath: withValue(desk.toolpath, `${at}/branches`, more),
    selected: `${at}/branches/${branches.length}`,
  };
}

function addRoutine({ toolpath }: EditContext): EditResult {
  const routines = toolpath.routines ?? [];
  const taken = new Set(routines.map(({ name }) => name));
  let number = routines.length + 1;
  while (taken.has(`Routine ${number}`)) number++;
  return {
    toolpath: { ...toolpath, routines: [...routines, { name: `Routine ${number}`, timeline: [] }] },
    selected: `/routines/${routines.length}`,
  };
}

export const NEW_ACTIONS: readonly NewAction[] = [
  {
    label: 'Waypoint',
    missing: nothing,
    add: ({ toolpath, ...rest }) => addWaypoint(toolpath, rest),
  },
  {
    label: 'Pass-through',
    missing: ({ toolpath }) => (toolpath.waypoints.length === 0 ? 'Add a waypoint first' : ''),
    add: ({ toolpath, ...rest }) => addWaypoint(toolpath, { ...rest, passes: true }),
  },
  {
    label: 'Move to a waypoint',
    missing: ({ toolpath }) => (toolpath.waypoints.length === 0 ? 'Add a waypoint first' : ''),
    add: plain(() => ({ type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 })),
  },
  {
    label: 'Wait',
    missing: nothing,
    add: plain(() => ({ type: 'wait', condition: { type: 'time', duration: 1 } })),
  },
  {
    label: 'Wait for an input',
    missing: nothing,
    add: plain(() => ({ type: 'wait', condition: firstCondition('input') })),
  },
  {
    label: 'Output',
    missing: nothing,
    add: plain(() => ({
      type: 'output-set',
      io: { location: 'base', type: 'digital', index: 0 },
      value: true,
    })),
  },
  {
    label: 'Grid',
    missing: ({ toolpath }) =>
      toolpath.waypoints.length < 3 ? 'Add three waypoints first: its corners' : '',
    add: plain(newGrid),
  },
  {
    label: 'Move to the cell',
    missing: (desk) => (cellPlace(desk) ? '' : 'Select a grid, or a step inside one, first'),
    add: (desk) =>
      insertAction(desk.toolpath, cellPlace(desk)!, { type: 'grid-waypoint', z_offset: 0 }),
  },
  {
    label: 'If',
    missing: nothing,
    add: plain(() => ({
      type: 'if',
      branches: [{ condition: firstCondition('input'), timeline: [] }],
    })),
  },
  {
    label: 'Branch',
    missing: (desk) => (ifAround(desk) === null ? 'Select an if first' : ''),
    add: addBranch,
  },
  {
    label: 'Restart',
    missing: ({ selected }) =>
      selected?.includes('/branches/') ? '' : 'Select a branch first: it ends with the restart',
    add: plain(() => ({ type: 'restart' })),
  },
  { label: 'Routine', missing: nothing, add: addRoutine },
  {
    label: 'Call a routine',
    missing: ({ toolpath }) => (toolpath.routines?.length ? '' : 'Add a routine first'),
    add: plain(({ routines }) => ({ type: 'call-routine', routine: routines![0]!.name })),
  },
];
