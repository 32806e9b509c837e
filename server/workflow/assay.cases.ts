/** The assay of the fixtures, for tests: three plates, carried by the arm. */
import { readFileSync } from 'node:fs';
import type { ArmClient } from '../../contract/client.ts';

const TEXT = readFileSync(new URL('../../fixtures/workflows/assay.json', import.meta.url), 'utf8');
export const ADDRESS = 'http://127.0.0.1:9000/hooks';
const SPEED = '"default_max_speed": 0.6';
/** Longer than any run of it (s). */
export const ENOUGH_S = 2500;

/** The definition, with hooks and an arm of the test's own. */
export function assay(url = ADDRESS, speed = SPEED): Record<string, unknown> {
  return JSON.parse(TEXT.replaceAll(ADDRESS, url).replace(SPEED, speed)) as Record<string, unknown>;
}

/** Saves and starts it. */
export async function began(arm: ArmClient, definition: Record<string, unknown>) {
  const { workflow } = await arm.createWorkflow(definition);
  const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
  return { run_id: run.id };
}
