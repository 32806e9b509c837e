/**
 * Reset of the twin to its initial state (decision D40): each scope is restored from a snapshot
 * taken at start-up, so that tests do not affect each other. Idempotent.
 */
import type { ResetBody, ResetScope } from '../../../contract/types.generated.ts';
import type { Session } from '../sessions/sessions.ts';
import type { InitialState } from './initial-state.ts';
import type { Simulation } from './simulation.ts';
import { RESTORABLE_SCOPES, restoreTwinSnapshot } from './snapshot-restore.ts';

const RESET_SCOPES: readonly ResetScope[] = [...RESTORABLE_SCOPES, 'recording', 'workflows'];

/** Restores the initial state within the scopes; keeps the caller's session and account. */
export async function resetTwin(
  simulation: Simulation,
  initialState: InitialState,
  request: { readonly body: ResetBody; readonly session: Session },
): Promise<void> {
  const { services, clock } = simulation.parts;
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
  if (scopes.has('clock')) clock.set(initialState);
}
