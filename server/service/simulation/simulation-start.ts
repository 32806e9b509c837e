/** The start of a simulation: its seed, its initial state, and its recording. */

import type { SeedBody } from '../../../contract/types.generated.ts';
import { checkedSeed } from '../../documents/checked-seed.ts';
import { recordToFile } from '../../recording/recording-file.ts';
import type { InitialState } from './initial-state.ts';
import { applySeed } from './seed.ts';
import type { Simulation } from './simulation.ts';
import { twinSnapshotWith } from './snapshot-taking.ts';
import { pinToolpaths } from './toolpaths-snapshot.ts';
import { takeUsers } from './users-snapshot.ts';

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
