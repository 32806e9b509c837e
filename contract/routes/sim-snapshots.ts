/**
 * The endpoints of /sim/v1 for reset, seeds, snapshots of the twin ("states" in the paths), the
 * journal of calls, recordings, saved toolpaths and kept runs (D8, D34). All need an admin. Also:
 * the endpoints of the cell.
 */
import { limits } from '../limits.ts';
import { JSON_REPLY, NO_CONTENT, PLANNING_BOUNDS, type RouteRow } from './row.ts';

const READS = { ...JSON_REPLY, role: 'admin' } as const;
const ACTS = { ...NO_CONTENT, role: 'admin' } as const;
const LARGE = { bodyLimit_bytes: limits.body_seed_bytes, timeout_s: limits.call_upload_s } as const;
const SEEDS = { ...ACTS, ...LARGE } as const;
const FILES = { ...READS, ...LARGE } as const;

export const SIM_SNAPSHOT_ROUTES = [
  {
    ...ACTS,
    id: 'resetTwin',
    method: 'POST',
    path: '/sim/v1/reset',
    body: 'ResetBody',
    bodyOptional: true,
    refusals: ['not_supported'],
    summary: 'Resets the twin to its initial state',
  },
  {
    ...SEEDS,
    id: 'seedTwin',
    method: 'POST',
    path: '/sim/v1/seed',
    body: 'SeedBody',
    bodyOptional: true,
    refusals: ['not_supported'],
    summary: 'Loads a seed: users, toolpaths, outputs and other initial data',
  },
  {
    ...READS,
    id: 'listStates',
    method: 'GET',
    path: '/sim/v1/states',
    reply: 'NamedStatesReply',
    summary: 'Lists the saved snapshots',
  },
  {
    ...READS,
    id: 'keepState',
    method: 'POST',
    path: '/sim/v1/states',
    body: 'NamedStateBody',
    reply: 'NamedStateReply',
    refusals: ['not_supported'],
    summary: 'Saves a snapshot of the whole twin under a name',
  },
  {
    ...ACTS,
    id: 'restoreState',
    method: 'POST',
    path: '/sim/v1/states/restore',
    body: 'NamedStateBody',
    timeout_s: limits.call_plan_s,
    refusals: ['not_found', 'not_supported'],
    summary: 'Restores a snapshot; the simulation then continues bit-identically',
  },
  {
    ...READS,
    id: 'exportState',
    method: 'POST',
    path: '/sim/v1/states/export',
    body: 'NamedStateBody',
    reply: 'StateFile',
    timeout_s: limits.call_upload_s,
    refusals: ['not_found'],
    summary: 'Exports a snapshot as a file',
  },
  {
    ...FILES,
    id: 'importState',
    method: 'POST',
    path: '/sim/v1/states/import',
    body: 'StateFile',
    reply: 'NamedStateReply',
    summary: 'Imports a snapshot from a file',
  },
  {
    ...ACTS,
    id: 'forgetStates',
    method: 'DELETE',
    path: '/sim/v1/states',
    summary: 'Deletes all snapshots',
  },
  {
    ...READS,
    id: 'searchJournal',
    method: 'POST',
    path: '/sim/v1/journal/search',
    body: 'JournalSearchBody',
    bodyOptional: true,
    reply: 'JournalReply',
    summary: 'Searches the journal of completed calls',
  },
  {
    ...READS,
    id: 'verifyJournal',
    method: 'POST',
    path: '/sim/v1/journal/verify',
    body: 'JournalVerifyBody',
    reply: 'JournalVerifyReply',
    summary: 'Verifies that an expected call happened; lists near misses',
  },
  {
    ...ACTS,
    id: 'clearJournal',
    method: 'DELETE',
    path: '/sim/v1/journal',
    summary: 'Clears the journal',
  },
  {
    ...READS,
    id: 'getRecording',
    method: 'GET',
    path: '/sim/v1/recording',
    reply: 'RecordingReply',
    summary: 'Returns the status of the recording',
  },
  {
    ...READS,
    id: 'startRecording',
    method: 'POST',
    path: '/sim/v1/recording',
    reply: 'RecordingReply',
    refusals: ['not_supported'],
    summary: 'Starts a recording, which replaces the previous one',
  },
  {
    ...READS,
    id: 'stopRecording',
    method: 'POST',
    path: '/sim/v1/recording/stop',
    reply: 'RecordingReply',
    summary: 'Stops the recording and keeps it',
  },
  {
    ...FILES,
    id: 'getTape',
    method: 'GET',
    path: '/sim/v1/recording/tape',
    reply: 'RecordingFileReply',
    refusals: ['not_found'],
    summary: 'Returns the recording',
  },
  {
    ...READS,
    id: 'listSavedToolpaths',
    method: 'GET',
    path: '/sim/v1/toolpaths',
    reply: 'ToolpathEntriesReply',
    summary: 'Lists the toolpaths of the caller with the time of their last save and their size',
  },
  {
    ...READS,
    id: 'listRobotRuns',
    method: 'GET',
    path: '/sim/v1/robot_runs',
    reply: 'RobotRunsReply',
    summary: 'Lists the runs of toolpaths that the twin keeps',
  },
  {
    ...READS,
    ...PLANNING_BOUNDS,
    id: 'replayRobotRun',
    method: 'POST',
    path: '/sim/v1/robot_runs/{robot_run_id}/replay',
    body: 'ReplayRunBody',
    bodyOptional: true,
    reply: 'ReplayRunReply',
    refusals: ['not_found', 'not_supported', 'toolpath_error'],
    summary: 'Replays a kept run beside the twin, as it was or with a fault or another toolpath',
  },
] as const satisfies readonly RouteRow[];

/**
 * The endpoints of the cell (/sim/v1/cell): its description and state, objects, events, buttons and
 * doors. All need an admin and a simulated arm.
 */

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
