/**
 * The way back to how the twin came up (decision D40's promise for tests): every scope is put back
 * from an image of the first moment, so that no trace of the last test is left. Doing it twice
 * gives the same as once.
 */
import type { ResetBody, ResetScope, SeedBody } from '../../contract/types.ts';
import type { Pace } from '../clock/clock.ts';
import type { Session } from '../sessions/sessions.ts';
import { restoreTwin, takeTwin } from './restoring.ts';
import { plantSeed } from './seed.ts';
import type { Simulation } from './simulation.ts';
import { type PeopleImage, type TwinImage, takePeople } from './twin-image.ts';

const RESET_SCOPES: readonly ResetScope[] = [
  'state',
  'toolpaths',
  'users',
  'clock',
  'faults',
  'obstacles',
  'recording',
];

/** The twin at its first moment. */
export interface Origin {
  readonly image: TwinImage;
  readonly people: PeopleImage;
  readonly pace: Pace;
  readonly paused: boolean;
}

/** Remembers the twin as it is now as its first moment. */
async function takeOrigin(simulation: Simulation): Promise<Origin> {
  const { rooms, clock } = simulation.parts;
  const people = takePeople(rooms.database.records);
  const { pace, paused } = clock;
  return { image: await takeTwin(simulation), people, pace, paused };
}

/** Brings a new twin to its seed and remembers it as its first moment. */
export async function comeUp(simulation: Simulation, seed: SeedBody | null): Promise<void> {
  if (!simulation.parts.world) return;
  const refusal = seed && (await plantSeed(simulation, seed));
  if (refusal) throw new Error(`The seed cannot be planted: ${JSON.stringify(refusal.details)}`);
  simulation.origin = await takeOrigin(simulation);
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
  }
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
