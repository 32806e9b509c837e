/**
 * All handlers of the simulation control API (/sim/v1), keyed by route id; those of reset, seed,
 * named snapshots, journal, recordings and kept runs are in this file.
 */
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RecordingReply } from '../../contract/types.ts';
import { cellHandlers } from '../cell/cell.ts';
import { tickOf } from '../clock/twin-time.ts';
import type { ToolpathText } from '../documents/document-tasks.ts';
import type { Services } from '../http/handler.ts';
import { answer, EMPTY, type Handlers } from '../http/handler.ts';
import { Recording } from '../recording/recording.ts';
import type { LoadedToolpath } from '../robot/commands.ts';
import { StorageError, saveError } from '../store/disk.ts';
import { resetTwin } from './reset.ts';
import { applySeed } from './seed.ts';
import type { Simulation } from './simulation.ts';
import { restoreTwinSnapshot, takeTwinSnapshot } from './twin-snapshot.ts';
import { clockHandlers, worldHandlers } from './world-handlers.ts';

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
      return answer({ tape: recording.text });
    },
  };
}

/** Scopes of a named snapshot: everything but users and recordings. */
const SNAPSHOT_SCOPES = new Set(['state', 'toolpaths', 'clock', 'faults', 'obstacles'] as const);

function snapshotHandlers(simulation: Simulation): Handlers {
  const { snapshots, parts } = simulation;
  return {
    listStates: () => answer({ states: snapshots.list() }),
    async keepState({ body }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      const state = snapshots.save(body.name, await takeTwinSnapshot(simulation));
      return 'refused' in state ? state : answer({ state });
    },
    async restoreState({ body, session }) {
      const snapshot = simulation.worldRefusal ?? snapshots.find(body.name);
      if ('refused' in snapshot) return snapshot;
      const restoring = restoreTwinSnapshot(simulation, {
        snapshot,
        users: null,
        scopes: SNAPSHOT_SCOPES,
        preserved: session,
      });
      await inSteps(restoring);
      // The objects of calls with an idempotency key may be gone.
      await parts.services.idempotency.remove();
      parts.clock.setPaused(parts.clock.paused);
      return EMPTY;
    },
    async exportState({ body }) {
      const content = snapshots.contentOf(body.name);
      if ('refused' in content) return content;
      const file = await parts.services.documents.stateFile(body.name, content);
      return { ...EMPTY, text: [file] };
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

/** The program of another toolpath for a replay. */
async function programOf(
  toolpath: ToolpathText | undefined,
  { planner }: Services,
): Promise<LoadedToolpath | Refusal<'toolpath_error'> | null> {
  if (!toolpath) return null;
  const { hash, metadata } = toolpath;
  const built = await planner.program(toolpath);
  if (built.kind === 'built') return { name: '', hash, program: built.program, metadata };
  const { error, path, code } = built;
  return refuse('toolpath_error', { error, path, code });
}

/** Handlers of the kept runs of toolpaths. */
function robotRunHandlers({ runs, parts, worldRefusal }: Simulation): Handlers {
  return {
    listRobotRuns: () => answer({ runs: runs?.list() ?? [] }),
    async replayRobotRun({ parameters, body, recheck }) {
      if (worldRefusal || !runs) return worldRefusal ?? refuse('not_supported');
      const { fault = null, toolpath: document } = body;
      if (document && 'refused' in document) return document;
      const toolpath = await programOf(document, parts.services);
      const late = recheck();
      if (late) return late;
      if (toolpath && 'refused' in toolpath) return toolpath;
      const run = runs.find(parameters['robot_run_id']!);
      if (!run) return refuse('not_found', `The twin keeps no run ${parameters['robot_run_id']}`);
      if (!run.inputs) return refuse('not_supported', 'The run had too many commands');
      const tick = run.start.tick + tickOf(body.at_s ?? 0);
      const { name, start, inputs } = run;
      const result = await parts.replayRun({
        driver: parts.driver.name,
        recorded_by: parts.product,
        run: { name, start, inputs },
        end_tick: run.watch.tick,
        change: fault || toolpath ? { tick, fault, toolpath } : null,
      });
      return 'refused' in result ? result : answer(result);
    },
  };
}

/** Handlers of reset, seed, named snapshots and journal. */
function stateHandlers(simulation: Simulation): Handlers {
  return {
    async resetTwin({ body, session }) {
      const { initialState } = simulation;
      if (!initialState || simulation.worldRefusal) return simulation.worldRefusal ?? EMPTY;
      await inSteps(resetTwin(simulation, initialState, { body, session }));
      return EMPTY;
    },
    async seedTwin({ body }) {
      return (await inSteps(applySeed(simulation, body))) ?? EMPTY;
    },
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
