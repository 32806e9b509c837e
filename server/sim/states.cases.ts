/** A twin with known secrets, traces of use, and all of a twin as one text: for tests of states. */
import type { ArmClient } from '../../contract/client.ts';
import { storedSample } from '../../contract/rules/samples.ts';
import { SILENT_HOOK, sampleWorkflow } from '../../contract/rules/workflow-samples.ts';
import type { TwinOptions } from '../index.ts';
import { decodePlain, encodePlain } from '../recording/plain-data.ts';
import type { Stage } from './sim.cases.ts';
import type { TwinImage } from './twin-image.ts';

export const KNOWN: TwinOptions = {
  token: 'a token of many characters',
  admin_email: 'admin@example.org',
  admin_password: 'a password',
};

/** Everything of a twin but its secrets, as one text. */
export async function fingerprint(arm: ArmClient): Promise<string> {
  await arm.keepState({ name: 'for the fingerprint' });
  const { data } = await arm.exportState({ name: 'for the fingerprint' });
  const image = decodePlain(data) as TwinImage;
  // The engine writes the order of a table of its own, which changes with every restore and bears
  // on nothing that it computes: the digest of what follows stands for its bytes.
  const world = image.driver === 'rapier' ? null : image.world;
  return JSON.stringify([
    encodePlain({ ...image, world }),
    await arm.listUsers(),
    (await arm.getSnapshot()).snapshot,
    await arm.listWorkflows(),
    await arm.listRuns(),
    await arm.listDeliveries(),
  ]);
}

/** Leaves traces everywhere. */
export async function useUp({ twin, arm }: Stage): Promise<void> {
  await arm.createUser({ email: 'bob@example.org', password: 'a long one' });
  const hooks = [{ ...SILENT_HOOK, type: 'NewPlanHook' as const }];
  const { workflow } = await arm.createWorkflow(sampleWorkflow({ hooks }));
  await arm.startRun({ workflow_id: workflow.id }, {});
  await arm.setInstrument({ instrument_id: 'reader', is_up: false });
  await arm.createToolpath({ name: 'one', toolpath: storedSample() });
  await arm.setLoopback({ wires: [{ output: 'd0', input: 'd1' }] });
  await arm.setInputs({ values: { a1: 3 } });
  const half = { x: 0.05, y: 0.05, z: 0.05 };
  await arm.addObstacle({ name: 'box', position: { x: 0, y: 0, z: 0.91 }, half });
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [1, 0, 0, 0, 0, 0] });
  await arm.setCollisionDetection({ enabled: true, sensitivity: 'high' });
  await twin.advance(0.5);
  await arm.addFault({ kind: 'driver', joint: 3, fault: 'lost' });
  await twin.advance(0.5);
  await arm.setEmergencyStop({ engaged: true });
}
