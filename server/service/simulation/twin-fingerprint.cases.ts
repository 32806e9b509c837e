/** Fixed credentials, changes everywhere, and a fingerprint of a whole twin. Test code. */

import { storedSample } from '../../../conformance/samples/sample-toolpath.ts';
import { sampleWorkflow, UNREACHABLE_HOOK } from '../../../conformance/samples/sample-workflow.ts';
import type { ArmClient } from '../../../contract/client.ts';
import type { TwinOptions } from '../../index.ts';
import { decodePlainData, encodePlainData } from '../../recording/plain-data.ts';
import type { TwinAndClient } from './twin-client.cases.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';

export const FIXED_CREDENTIALS: TwinOptions = {
  token: 'a token of many characters',
  admin_email: 'admin@example.org',
  admin_password: 'a password',
};

/** The whole twin without secrets, as one text. */
export async function fingerprint(arm: ArmClient): Promise<string> {
  await arm.keepState({ name: 'for the fingerprint' });
  const { data } = await arm.exportState({ name: 'for the fingerprint' });
  const snapshot = decodePlainData(data) as TwinSnapshot;
  // The engine's bytes contain the order of an internal table, which changes with every restore and
  // does not affect results: the digest of later ticks covers the engine instead.
  const world = snapshot.driver === 'rapier' ? null : snapshot.world;
  return JSON.stringify([
    encodePlainData({ ...snapshot, world }),
    await arm.listUsers(),
    (await arm.getSnapshot()).snapshot,
    await arm.listWorkflows(),
    await arm.listRuns(),
    await arm.listDeliveries(),
  ]);
}

/** Changes every part of the twin. */
export async function changeEverything({ twin, arm }: TwinAndClient): Promise<void> {
  await arm.createUser({ email: 'bob@example.org', password: 'a long one' });
  const hooks = [{ ...UNREACHABLE_HOOK, type: 'NewPlanHook' as const }];
  const { workflow } = await arm.createWorkflow(sampleWorkflow({ hooks }));
  await arm.startRun({ workflow_id: workflow.id }, {});
  await arm.setInstrument({ instrument_id: 'reader', is_up: false });
  await arm.createToolpath({ name: 'one', toolpath: storedSample() });
  await arm.setLoopback({ wires: [{ output: 'd0', input: 'd1' }] });
  await arm.setInputs({ values: { a1: 3 } });
  const half = { x: 0.05, y: 0.05, z: 0.05 };
  await arm.addObstacle({ name: 'box', position: { x: 0, y: 0, z: 0.938 }, half });
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [1, 0, 0, 0, 0, 0] });
  await arm.setCollisionDetection({ enabled: true, sensitivity: 'high' });
  await twin.advance(0.5);
  await arm.addFault({ kind: 'driver', joint: 3, fault: 'lost' });
  await twin.advance(0.5);
  await arm.setEmergencyStop({ engaged: true });
}
