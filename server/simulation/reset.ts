/**
 * Reset of the twin to its initial state (decision D40): each scope is restored from a snapshot
 * taken at start-up, so that tests do not affect each other. Idempotent.
 */
import type { ResetBody, ResetScope, SeedBody } from '../../contract/types.ts';
import { checkedSeed } from '../documents/document-conversions.ts';
import { recordToFile } from '../recording/recording.ts';
import type { Session } from '../sessions/sessions.ts';
import { applySeed } from './seed.ts';
import type { Simulation } from './simulation.ts';
import {
  type InitialState,
  pinToolpaths,
  RESTORABLE_SCOPES,
  restoreTwinSnapshot,
  takeUsers,
  twinSnapshotWith,
} from './twin-snapshot.ts';

const STORED_SCOPES = ['toolpaths', 'users', 'workflows'] as const;
const RESET_SCOPES: readonly ResetScope[] = [...RESTORABLE_SCOPES, 'recording', 'workflows'];

/** Captures the present state as the initial state. */
function captureInitialState(simulation: Simulation): InitialState {
  const { services, clock } = simulation.parts;
  const users = takeUsers(services.database.records);
  const { pace, paused } = clock;
  const snapshot = twinSnapshotWith(simulation, pinToolpaths(services.database));
  return { snapshot, users, pace, paused };
}

/** What to load and record at start-up. */
interface InitialStateOptions {
  readonly seed: SeedBody | null;
  /** Path of the recording file. */
  readonly record: string | null;
}

/**
 * Applies the seed, captures the initial state, and starts the recording; returns the function that
 * completes it. Rejects when the seed is refused or the file cannot be opened.
 */
export async function restoreInitialState(
  simulation: Simulation | null,
  { seed, record }: InitialStateOptions,
): Promise<() => Promise<void>> {
  const recordingParts = simulation?.recordingParts;
  if (!simulation || !recordingParts) {
    if (seed || record) throw new Error('A seed or a recording needs a simulated arm and /sim/v1');
    return async () => {};
  }
  const refusal = seed && (await applySeed(simulation, checkedSeed(seed)));
  if (refusal) throw new Error(`The seed cannot be applied: ${JSON.stringify(refusal.details)}`);
  simulation.initialState = captureInitialState(simulation);
  return record === null ? async () => {} : recordToFile(record, recordingParts);
}

/** Restores the initial state within the scopes; keeps the caller's session and account. */
export async function resetTwin(
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
  // Objects of calls with an idempotency key are gone.
  if (STORED_SCOPES.some((scope) => scopes.has(scope))) await services.idempotency.remove();
  if (scopes.has('users')) {
    services.sessions.endWhere((other) => other !== session);
    services.passwords.clear();
    services.library.forgetShared();
  }
  if (scopes.has('state') && scopes.has('clock')) digest.restart();
  if (scopes.has('clock')) {
    clock.setPaused(initialState.paused);
    clock.setPace(initialState.pace);
  }
}
