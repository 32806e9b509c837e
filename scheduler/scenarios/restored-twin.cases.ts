/** A twin that several scenarios share is as before after each of them. */
import type { TwinAndClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearDecks } from './assay.cases.ts';

/** Stops a run, removes faults, emergency stop, errors and collisions, and clears the decks. */
export async function restoreTwin(
  { arm, twin }: TwinAndClient,
  run: { readonly run_id: number },
): Promise<void> {
  await arm.stopRun(run).catch(() => {});
  await arm.clearFaults();
  await arm.setEmergencyStop({ engaged: false });
  await twin.advance(2);
  await arm.takeLock().catch(() => {});
  await arm.resetErrors().catch(() => {});
  await arm.acknowledgeCollision().catch(() => {});
  await arm.setCollisionDetection({ enabled: false, sensitivity: 'low' }).catch(() => {});
  await arm.releaseLock().catch(() => {});
  await twin.advance(1);
  await clearDecks(arm);
}
