/**
 * The endpoints of the cell (/sim/v1/cell): its description and state, objects, events, buttons and
 * doors. All need an admin and a simulated arm.
 */

import { limits } from '../limits.ts';
import type { RouteRow } from './row.ts';
import { JSON_REPLY, NO_CONTENT } from './row-defaults.ts';

const CELL_READS = { ...JSON_REPLY, role: 'admin', refusals: ['not_supported'] } as const;
const CELL_ACTS = { ...NO_CONTENT, role: 'admin', refusals: ['not_supported'] } as const;

export const CELL_ROUTES = [
  {
    ...CELL_READS,
    id: 'getCell',
    method: 'GET',
    path: '/sim/v1/cell',
    reply: 'CellReply',
    summary: 'Returns the cell and the state of its moving parts',
  },
  {
    ...CELL_READS,
    id: 'setCell',
    method: 'PUT',
    path: '/sim/v1/cell',
    body: 'Cell',
    reply: 'CellReply',
    bodyLimit_bytes: limits.body_toolpath_bytes,
    summary: 'Replaces the cell: all objects are where the description puts them',
  },
  {
    ...CELL_ACTS,
    id: 'removeCell',
    method: 'DELETE',
    path: '/sim/v1/cell',
    summary: 'Removes the cell',
  },
  {
    ...CELL_READS,
    id: 'getCellCheck',
    method: 'GET',
    path: '/sim/v1/cell/check',
    reply: 'CellCheckReply',
    summary: 'Returns what the loaded toolpath meets in the cell, once that is known',
  },
  {
    ...CELL_READS,
    id: 'getCellObject',
    method: 'GET',
    path: '/sim/v1/cell/objects/{object_name}',
    reply: 'CellObjectReply',
    summary: 'Returns one object of the cell with its latest events',
  },
  {
    ...CELL_READS,
    id: 'moveCellObject',
    method: 'PUT',
    path: '/sim/v1/cell/objects/{object_name}',
    body: 'MoveObjectBody',
    bodyOptional: true,
    reply: 'CellObjectReply',
    summary: 'Puts an object to another place, as a person would',
  },
  {
    ...CELL_READS,
    id: 'setCellControl',
    method: 'PUT',
    path: '/sim/v1/cell/controls/{control_name}',
    body: 'CellControlBody',
    reply: 'CellReply',
    summary: 'Presses a button or opens a door of the cell, or undoes it',
  },
  {
    ...CELL_READS,
    id: 'listCellEvents',
    method: 'GET',
    path: '/sim/v1/cell/events',
    reply: 'CellEventsReply',
    summary: 'Lists what happened in the cell, oldest first',
  },
  {
    ...CELL_READS,
    id: 'runUntilObject',
    method: 'POST',
    path: '/sim/v1/cell/until',
    body: 'ObjectUntilBody',
    reply: 'ObjectUntilReply',
    refusals: ['not_supported', 'not_found', 'wrong_state'],
    timeout_s: limits.call_advance_s,
    summary: 'Advances the clock until an object is somewhere or the limit passes',
  },
] as const satisfies readonly RouteRow[];
