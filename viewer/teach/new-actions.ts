/**
 * What can be added to a toolpath, as rows: words, the edit, and why it cannot be done now. What
 * needs a pose takes the one that is taught. Pure.
 */
import type { Action, Joints, Toolpath } from '../../contract/types.ts';
import { firstCondition } from './io-fields.ts';
import { withValue } from './pointer.ts';
import {
  actionAt,
  addWaypoint,
  type Edited,
  insertAction,
  type Place,
  placeAfter,
  timelineAt,
} from './toolpath-edit.ts';

/** What an addition is made from. */
export interface Desk {
  readonly toolpath: Toolpath;
  readonly selected: string | null;
  /** The pose that is taught (rad). */
  readonly joints: Joints;
}

export interface NewAction {
  readonly words: string;
  /** A sentence that says what is missing; empty where nothing is. */
  readonly lacks: (desk: Desk) => string;
  readonly add: (desk: Desk) => Edited;
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

/** Where a move to a cell goes: into the grid that is selected or around what is selected. */
function cellPlace({ toolpath, selected }: Desk): Place | null {
  if (actionAt(toolpath, selected)?.type === 'grid') {
    const list = `${selected}/timeline`;
    return { list, index: timelineAt(toolpath, list).length };
  }
  const place = placeAfter(toolpath, selected);
  const steps = place.list.split('/');
  const around = steps.map((_, i) => steps.slice(0, i + 1).join('/'));
  return around.some((at) => actionAt(toolpath, at)?.type === 'grid') ? place : null;
}

/** The `if` that is selected, or whose branch is. */
function ifAround({ toolpath, selected }: Desk): string | null {
  const at = selected?.replace(/\/(branches\/\d+|else)$/, '') ?? '';
  return timelineAt(toolpath, `${at}/branches`).length > 0 ? at : null;
}

function addBranch(desk: Desk): Edited {
  const at = ifAround(desk)!;
  const branches = timelineAt(desk.toolpath, `${at}/branches`);
  const more = [...branches, { condition: firstCondition('input'), timeline: [] }];
  return {
    toolpath: withValue(desk.toolpath, `${at}/branches`, more),
    selected: `${at}/branches/${branches.length}`,
  };
}

function addRoutine({ toolpath }: Desk): Edited {
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
    words: 'Waypoint',
    lacks: nothing,
    add: ({ toolpath, ...rest }) => addWaypoint(toolpath, rest),
  },
  {
    words: 'Pass-through',
    lacks: ({ toolpath }) => (toolpath.waypoints.length === 0 ? 'Add a waypoint first' : ''),
    add: ({ toolpath, ...rest }) => addWaypoint(toolpath, { ...rest, passes: true }),
  },
  {
    words: 'Move to a waypoint',
    lacks: ({ toolpath }) => (toolpath.waypoints.length === 0 ? 'Add a waypoint first' : ''),
    add: plain(() => ({ type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 })),
  },
  {
    words: 'Wait',
    lacks: nothing,
    add: plain(() => ({ type: 'wait', condition: { type: 'time', duration: 1 } })),
  },
  {
    words: 'Wait for an input',
    lacks: nothing,
    add: plain(() => ({ type: 'wait', condition: firstCondition('input') })),
  },
  {
    words: 'Output',
    lacks: nothing,
    add: plain(() => ({
      type: 'output-set',
      io: { location: 'base', type: 'digital', index: 0 },
      value: true,
    })),
  },
  {
    words: 'Grid',
    lacks: ({ toolpath }) =>
      toolpath.waypoints.length < 3 ? 'Add three waypoints first: its corners' : '',
    add: plain(newGrid),
  },
  {
    words: 'Move to the cell',
    lacks: (desk) => (cellPlace(desk) ? '' : 'Select a grid, or a step inside one, first'),
    add: (desk) =>
      insertAction(desk.toolpath, cellPlace(desk)!, { type: 'grid-waypoint', z_offset: 0 }),
  },
  {
    words: 'If',
    lacks: nothing,
    add: plain(() => ({
      type: 'if',
      branches: [{ condition: firstCondition('input'), timeline: [] }],
    })),
  },
  {
    words: 'Branch',
    lacks: (desk) => (ifAround(desk) === null ? 'Select an if first' : ''),
    add: addBranch,
  },
  {
    words: 'Restart',
    lacks: ({ selected }) =>
      selected?.includes('/branches/') ? '' : 'Select a branch first: it ends with the restart',
    add: plain(() => ({ type: 'restart' })),
  },
  { words: 'Routine', lacks: nothing, add: addRoutine },
  {
    words: 'Call a routine',
    lacks: ({ toolpath }) => (toolpath.routines?.length ? '' : 'Add a routine first'),
    add: plain(({ routines }) => ({ type: 'call-routine', routine: routines![0]!.name })),
  },
];
