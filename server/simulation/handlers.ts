/**
 * All handlers of the simulation control API (/sim/v1), keyed by route id; those of reset, seed,
 * named snapshots, journal, recordings and kept runs are in this file. Also: the reset to the
 * initial state.
 */
import { refuse } from '../../contract/refusal.ts';
import type { RecordingReply, ResetBody, ResetScope, SeedBody } from '../../contract/types.ts';
import { cellHandlers } from '../cell/cell.ts';
import { tickOf } from '../clock/twin-time.ts';
import { checkedSeed } from '../documents/document-conversions.ts';
import { answer, answerList, EMPTY, type Handlers, type SessionCall } from '../http/reply.ts';
import { Recording, recordToFile } from '../recording/recording.ts';
import type { Session } from '../sessions/users.ts';
import { StorageError, saveError } from '../store/disk.ts';
import { applySeed } from './seed.ts';
import type { Simulation } from './simulation.ts';
import {
  cannotBeRestored,
  type InitialState,
  keptSnapshot,
  pinToolpaths,
  plannedSnapshot,
  RESTORABLE_SCOPES,
  restoreOrUndo,
  restoreTwinSnapshot,
  takeTwinSnapshot,
  takeUsers,
  twinSnapshotWith,
} from './twin-snapshot.ts';
import { clockHandlers, worldHandlers } from './world-handlers.ts';

/**
 * Reset of the twin to its initial state (decision D40): each scope is restored from a snapshot
 * taken at start-up, so that tests do not affect each other. Idempotent.
 */

const RESET_SCOPES: readonly ResetScope[] = [...RESTORABLE_SCOPES, 'recording', 'workflows'];

/** Captures the present state as the initial state. */
function captureInitialState(simulation: Simulation): InitialState {
  const { services, clock } = simulation.parts;
  const users = takeUsers(services.database.records);
  const { pace, paused } = clock;
  const snapshot = twinSnapshotWith(simulation, pinToolpaths(services.database));
  return { snapshot, users, pace, paused };
}

const NEEDS =
  'needs a simulated arm and /sim/v1: choose --driver rapier or fast, and leave out --no-sim';

/** What to load and record at start-up. */
interface InitialStateOptions {
  readonly seed: SeedBody | null;
  /** Path of the recording file. */
  readonly record: string | null;
  /** Hears once why the recording breaks off. */
  readonly onRecordFailure?: (reason: string) => void;
}

/**
 * Applies the seed, captures the initial state, and starts the recording; returns the function that
 * completes it. Rejects when the seed is refused or the file cannot be opened.
 */
export async function restoreInitialState(
  simulation: Simulation | null,
  { seed, record, onRecordFailure }: InitialStateOptions,
): Promise<() => Promise<void>> {
  const recordingParts = simulation?.recordingParts;
  if (!simulation || !recordingParts) {
    const what = seed?.cell && Object.keys(seed).length === 1 ? 'A cell' : 'A seed';
    if (seed || record) throw new Error(`${seed ? what : 'A recording'} ${NEEDS}`);
    return async () => {};
  }
  const refusal = seed && (await applySeed(simulation, checkedSeed(seed)));
  if (refusal) throw new Error(`The seed cannot be applied: ${JSON.stringify(refusal.details)}`);
  simulation.initialState = captureInitialState(simulation);
  if (record === null) return async () => {};
  return recordToFile(record, recordingParts, onRecordFailure);
}

/** Restores the initial state within the scopes; keeps the caller's session and account. */
async function resetTwin(
  simulation: Simulation,
  initialState: InitialState,
  request: { readonly body: ResetBody; readonly session: Session },
): Promise<void> {
  const { services, clock, digest } = simulation.parts;
  const { session } = request;
  const scopes = new Set(request.body.scopes ?? RESET_SCOPES);
  const { snapshot, users } = initialState;
  if (scopes.has('recording')) {
    simulation.journal.clear();
    simulation.snapshots.clear();
    simulation.runs?.clear();
    simulation.recording?.stop();
    simulation.recording = null;
  }
  // An injected full disk would prevent the stored data from being restored.
  if (scopes.has('faults')) simulation.faults.clearAll();
  // First: active workflows would move the robot after it was restored.
  for (const hook of simulation.resetHooks) await hook(scopes);
  await restoreTwinSnapshot(simulation, {
    snapshot,
    users,
    scopes,
    preserved: session,
  });
  // All that follows is in the turn of the restored state: no tick passes at another pace.
  if (scopes.has('users')) {
    services.sessions.endWhere((other) => other !== session);
    services.passwords.clear();
    services.library.forgetShared();
  }
  if (scopes.has('state') && scopes.has('clock')) digest.restart();
  if (scopes.has('clock')) clock.set(initialState);
}

function recordingReply(recording: Recording | null): RecordingReply {
  if (!recording) return { recording: false, bytes: 0, truncated: false };
  return { recording: !recording.stopped, bytes: recording.bytes, truncated: recording.truncated };
}

/** Handlers of in-memory recordings; the last recording stays until the next starts. */
function recordingHandlers(simulation: Simulation): Handlers {
  return {
    getRecording: () => answer(recordingReply(simulation.recording)),
    startRecording() {
      const { worldRefusal, recordingParts } = simulation;
      if (worldRefusal || !recordingParts) return worldRefusal ?? refuse('not_supported');
      simulation.recording?.stop();
      simulation.recording = new Recording(recordingParts);
      return answer(recordingReply(simulation.recording));
    },
    stopRecording() {
      simulation.recording?.stop();
      return answer(recordingReply(simulation.recording));
    },
    getTape() {
      const { recording } = simulation;
      if (!recording) return refuse('not_found', 'There is no recording; start one first');
      return { ...EMPTY, text: recording.jsonPieces() };
    },
  };
}

/** Scopes of a named snapshot: everything but users and recordings. */
const SNAPSHOT_SCOPES = new Set(['state', 'toolpaths', 'clock', 'faults', 'obstacles'] as const);

/** Restores a named snapshot; the session that asks for it stays. */
async function restoreNamed(
  simulation: Simulation,
  name: string,
  { session, recheck }: Pick<SessionCall, 'session' | 'recheck'>,
) {
  const { snapshots, parts } = simulation;
  const kept = await snapshots.find(name);
  if ('refused' in kept) return kept;
  // A snapshot of a file, which may be made by hand, is tried on a twin of its own first.
  const isUnproven = snapshots.isUnproven(name);
  const failure = isUnproven ? await parts.trySnapshot(kept) : null;
  if (failure !== null) return cannotBeRestored(failure);
  const snapshot = await plannedSnapshot(kept, parts.services);
  if ('refused' in snapshot) return snapshot;
  // The trial and the plan may have taken seconds.
  const late = recheck();
  if (late) return late;
  const request = { snapshot, users: null, scopes: SNAPSHOT_SCOPES, preserved: session };
  if (isUnproven) {
    const refusal = await inSteps(restoreOrUndo(simulation, request));
    if (refusal) return refusal;
    snapshots.save(name, kept);
  } else {
    await inSteps(restoreTwinSnapshot(simulation, request));
  }
  // The schedule of the clock begins at the restored time, before any tick.
  parts.clock.set({});
  return EMPTY;
}

function snapshotHandlers(simulation: Simulation): Handlers {
  const { snapshots, parts } = simulation;
  return {
    listStates: () => answer({ states: snapshots.list() }),
    async keepState({ body, recheck }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      return simulation.inTurn(recheck, async () => {
        const state = snapshots.save(body.name, keptSnapshot(await takeTwinSnapshot(simulation)));
        return 'refused' in state ? state : answer({ state });
      });
    },
    async restoreState({ body, session, recheck }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      return simulation.inTurn(recheck, () =>
        restoreNamed(simulation, body.name, { session, recheck }),
      );
    },
    async exportState({ body, recheck }) {
      const content = await snapshots.contentOf(body.name);
      if ('refused' in content) return content;
      const file = await parts.services.documents.stateFile(body.name, content, recheck);
      return 'refused' in file ? file : { ...EMPTY, text: [file] };
    },
    importState({ body }) {
      const state = snapshots.import(body);
      return 'refused' in state ? state : answer({ state });
    },
    forgetStates() {
      snapshots.clear();
      return EMPTY;
    },
  };
}

function journalHandlers({ journal }: Simulation): Handlers {
  return {
    searchJournal: ({ body }) => answer({ entries: journal.search(body), lost: journal.lost }),
    verifyJournal: ({ body }) => answer(journal.verify(body, body.body_sha256)),
    clearJournal() {
      journal.clear();
      return EMPTY;
    },
  };
}

/** The result of work in several transactions: when one fails, earlier ones have happened. */
async function inSteps<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StorageError ? saveError('', error, true) : error;
  }
}

/** Handlers of the saved toolpaths and of their kept runs. */
function robotRunHandlers({ runs, parts, worldRefusal }: Simulation): Handlers {
  return {
    listSavedToolpaths: ({ caller }, { library }) =>
      answerList('toolpaths', library.saved(caller.user_id)),
    listRobotRuns: () => answer({ runs: runs?.list() ?? [] }),
    async replayRobotRun({ parameters, body, recheck }) {
      if (worldRefusal || !runs) return worldRefusal ?? refuse('not_supported');
      const { fault = null, toolpath = null } = body;
      if (toolpath && 'refused' in toolpath) return toolpath;
      const run = runs.find(parameters['robot_run_id']!);
      if (!run) return refuse('not_found', `The twin keeps no run ${parameters['robot_run_id']}`);
      if (!run.inputs) return refuse('not_supported', 'The run had too many commands');
      const tick = run.start.tick + tickOf(body.at_s ?? 0);
      const { name, start, inputs } = run;
      const task = toolpath && parts.services.planner.taskOf(toolpath);
      const other = task && { hash: toolpath.hash, metadata: toolpath.metadata, task };
      const result = await parts.replayRun({
        driver: parts.driver.name,
        recorded_by: parts.product,
        run: { name, start, inputs },
        end_tick: run.watch.tick,
        change: fault || other ? { tick, fault, toolpath: other } : null,
      });
      return recheck() ?? ('refused' in result ? result : { ...EMPTY, text: [result.json] });
    },
  };
}

/** Handlers of reset, seed, named snapshots and journal. */
function stateHandlers(simulation: Simulation): Handlers {
  return {
    async resetTwin({ body, session, recheck }) {
      const { initialState } = simulation;
      if (!initialState || simulation.worldRefusal) return simulation.worldRefusal ?? EMPTY;
      return simulation.inTurn(recheck, async () => {
        await inSteps(resetTwin(simulation, initialState, { body, session }));
        return EMPTY;
      });
    },
    seedTwin: ({ body, recheck }) =>
      simulation.inTurn(recheck, async () => (await inSteps(applySeed(simulation, body))) ?? EMPTY),
    ...snapshotHandlers(simulation),
    ...journalHandlers(simulation),
  };
}

/** Creates the handlers for one twin. */
export function simulationHandlers(simulation: Simulation): Handlers {
  return {
    ...clockHandlers(simulation),
    ...worldHandlers(simulation),
    ...cellHandlers(simulation),
    ...stateHandlers(simulation),
    ...recordingHandlers(simulation),
    ...robotRunHandlers(simulation),
  };
}
