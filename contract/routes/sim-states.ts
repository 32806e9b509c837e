/**
 * The endpoints that put a twin back, forward or aside: reset, seed, kept states, and the journal
 * of what was asked. Apart from the world's rows in sim.ts because a table should fit the eye.
 */
import { limits } from '../limits.ts';
import { REPLIES, type RouteRow, SILENT } from './row.ts';

const READS = { ...REPLIES, role: 'admin' } as const;
const ACTS = { ...SILENT, role: 'admin' } as const;
const LARGE = { bodyLimit_bytes: limits.body_seed_bytes, timeout_s: limits.call_upload_s } as const;
const SEEDS = { ...ACTS, ...LARGE } as const;
const FILES = { ...READS, ...LARGE } as const;

export const SIM_STATE_ROUTES = [
  {
    ...ACTS,
    id: 'resetTwin',
    method: 'POST',
    path: '/sim/v1/reset',
    body: 'ResetBody',
    summary: 'Puts the twin back to how it came up',
  },
  {
    ...SEEDS,
    id: 'seedTwin',
    method: 'POST',
    path: '/sim/v1/seed',
    body: 'SeedBody',
    summary: 'Brings the twin to how a seed says',
  },
  {
    ...READS,
    id: 'listStates',
    method: 'GET',
    path: '/sim/v1/states',
    reply: 'NamedStatesReply',
    summary: 'Lists the states that were kept',
  },
  {
    ...READS,
    id: 'keepState',
    method: 'POST',
    path: '/sim/v1/states',
    body: 'NamedStateBody',
    reply: 'NamedStateReply',
    summary: 'Keeps the whole twin as it is now under a name',
  },
  {
    ...ACTS,
    id: 'restoreState',
    method: 'POST',
    path: '/sim/v1/states/restore',
    body: 'NamedStateBody',
    summary: 'Puts the twin back to a kept state: what follows has the same bits',
  },
  {
    ...READS,
    id: 'exportState',
    method: 'POST',
    path: '/sim/v1/states/export',
    body: 'NamedStateBody',
    reply: 'StateFile',
    summary: 'Gives a kept state out as a file',
  },
  {
    ...FILES,
    id: 'importState',
    method: 'POST',
    path: '/sim/v1/states/import',
    body: 'StateFile',
    reply: 'NamedStateReply',
    summary: 'Takes a file in as a kept state',
  },
  {
    ...ACTS,
    id: 'forgetStates',
    method: 'DELETE',
    path: '/sim/v1/states',
    summary: 'Forgets all kept states',
  },
  {
    ...READS,
    id: 'searchJournal',
    method: 'POST',
    path: '/sim/v1/journal/search',
    body: 'JournalSearchBody',
    reply: 'JournalReply',
    summary: 'Finds calls that were answered',
  },
  {
    ...READS,
    id: 'verifyJournal',
    method: 'POST',
    path: '/sim/v1/journal/verify',
    body: 'JournalVerifyBody',
    reply: 'JournalVerifyReply',
    summary: 'Says whether an expected call happened, and what came close',
  },
  {
    ...ACTS,
    id: 'clearJournal',
    method: 'DELETE',
    path: '/sim/v1/journal',
    summary: 'Forgets all calls',
  },
  {
    ...READS,
    id: 'getRecording',
    method: 'GET',
    path: '/sim/v1/recording',
    reply: 'RecordingReply',
    summary: 'Says whether the twin is recorded',
  },
  {
    ...READS,
    id: 'startRecording',
    method: 'POST',
    path: '/sim/v1/recording',
    reply: 'RecordingReply',
    summary: 'Records everything from now on, in place of the tape before',
  },
  {
    ...READS,
    id: 'stopRecording',
    method: 'POST',
    path: '/sim/v1/recording/stop',
    reply: 'RecordingReply',
    summary: 'Ends the recording; the tape stays',
  },
  {
    ...FILES,
    id: 'getTape',
    method: 'GET',
    path: '/sim/v1/recording/tape',
    reply: 'TapeReply',
    summary: 'Gives the tape out',
  },
] as const satisfies readonly RouteRow[];
