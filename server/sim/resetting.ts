/**
 * The way back to how the twin came up (decision D40's promise for tests): every scope is put back
 * from an image of the first moment, so that no trace of the last test is left. Doing it twice
 * gives the same as once.
 */
import type { ResetBody, ResetScope, SeedBody } from '../../contract/types.ts';
import { recordInto } from '../recording/tape-file.ts';
import type { Session } from '../sessions/sessions.ts';
import { pinLibrary } from './library-image.ts';
import { RESTORED, restoreTwin, twinWith } from './restoring.ts';
import { plantSeed } from './seed.ts';
import type { Simulation } from './simulation.ts';
import { type Origin, takePeople } from './twin-image.ts';

const RESET_SCOPES: readonly ResetScope[] = [...RESTORED, 'recording', 'workflows'];

/** Remembers the twin as it is now as its first moment. */
function takeOrigin(simulation: Simulation): Origin {
  const { rooms, clock } = simulation.parts;
  const people = takePeople(rooms.database.records);
  const { pace, paused } = clock;
  const library = pinLibrary(rooms.database);
  return { image: twinWith(simulation, library), people, pace, paused };
}

/** What a twin comes up to. */
interface ComingUp {
  readonly seed: SeedBody | null;
  readonly record: string | null;
}

/**
 * Brings a new twin to its seed, remembers it as its first moment, and begins its recording;
 * answers how to complete the recording. Rejects when seed or file are not to be had.
 */
export async function comeUp(
  simulation: Simulation | null,
  { seed, record }: ComingUp,
): Promise<() => Promise<void>> {
  const tapeParts = simulation?.tapeParts;
  if (!simulation || !tapeParts) {
    if (seed || record) throw new Error('A seed or a recording needs a simulated arm and /sim/v1');
    return async () => {};
  }
  const refusal = seed && (await plantSeed(simulation, seed));
  if (refusal) throw new Error(`The seed cannot be planted: ${JSON.stringify(refusal.details)}`);
  simulation.origin = takeOrigin(simulation);
  return record === null ? async () => {} : recordInto(record, tapeParts);
}

/** Puts the twin back within the scopes; the caller's session and admin stay. */
export async function resetTwin(
  simulation: Simulation,
  origin: Origin,
  request: { readonly body: ResetBody; readonly session: Session },
): Promise<void> {
  const { rooms, clock, digest } = simulation.parts;
  const { session } = request;
  const scopes = new Set(request.body.scopes ?? RESET_SCOPES);
  const { image, people } = origin;
  if (scopes.has('recording')) {
    simulation.journal.clear();
    simulation.states.clear();
    simulation.recording?.end();
    simulation.recording = null;
  }
  // First, since what is still at work there would move the robot that has been put back.
  for (const forget of simulation.onReset) await forget(scopes);
  await restoreTwin(simulation, { image, people, scopes, keeper: session });
  if (scopes.has('users')) {
    rooms.sessions.endWhere((other) => other !== session);
    rooms.failedLogIns.clear();
  }
  if (scopes.has('state') && scopes.has('clock')) digest.restart();
  if (scopes.has('clock')) {
    clock.setPaused(origin.paused);
    clock.setPace(origin.pace);
  }
}
