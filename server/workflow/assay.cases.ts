/** The assay of the fixtures, for tests: whole, or one plate of it through a single task. */
import { readFileSync } from 'node:fs';
import type { ArmClient } from '../../contract/client.ts';
import type { RunEvent, StartRunBody } from '../../contract/types.ts';

const TEXT = readFileSync(new URL('../../fixtures/workflows/assay.json', import.meta.url), 'utf8');
const ADDRESS = 'http://127.0.0.1:9000/hooks';
/** Longer than any run of it (s). */
export const ENOUGH_S = 2500;
const EPOCH_S = 1_577_836_800;

interface Assay extends Record<string, unknown> {
  workflow: {
    labware: object[];
    tasks: Record<string, object>;
    time_constraints: object[];
    hooks: object[];
  };
}

/** The definition, with an address of the test's own. */
export function assay(url = ADDRESS): Assay {
  return JSON.parse(TEXT.replaceAll(ADDRESS, url)) as Assay;
}

/** One plate, fetched, filled within 25 s and left there. Merged into the task: `rest`. */
export function oneMove(rest: object = {}): Assay {
  const definition = assay();
  const { workflow } = definition;
  workflow.labware.splice(1);
  workflow.tasks = { dispense_1: { ...workflow.tasks['dispense_1'], ...rest } };
  workflow.time_constraints = [];
  return definition;
}

/** As `oneMove`, and then on to the washer. */
export function twoMoves(): Assay {
  const definition = assay();
  const { workflow } = definition;
  const { dispense_1, wash_1 } = workflow.tasks;
  const need = { type: 'labware_source', labware_id: 'plate_1', source_task: 'dispense_1' };
  workflow.labware.splice(1);
  workflow.tasks = {
    dispense_1: dispense_1!,
    wash_1: { ...wash_1, labware_sources: { plate_1: { ...need, destination_slot: 1 } } },
  };
  workflow.time_constraints = [];
  return definition;
}

/** Saves and starts it. */
export async function began(
  arm: ArmClient,
  definition: Record<string, unknown>,
  body: StartRunBody = {},
) {
  const { workflow } = await arm.createWorkflow(definition);
  const { run } = await arm.startRun({ workflow_id: workflow.id }, body);
  return { run_id: run.id };
}

/** Second of the twin's stepped time at which an event was. */
export function moment_s({ body }: RunEvent): number {
  return Date.parse(body.timestamp) / 1000 - EPOCH_S;
}

/** An event without its time: type, what it is about, state, message or error. */
export function told({ hook_type, body }: RunEvent): string {
  const kind = hook_type.replace(/(StateChange|Movement)?Hook$/, '');
  const what = 'task_id' in body ? body.task_id : 'labware_id' in body ? body.labware_id : '';
  const state = 'state' in body ? body.state : '';
  const why = 'message' in body ? body.message : 'error' in body ? body.error : '';
  return [kind, what, state, why && `(${why})`].filter((text) => text !== '').join(' ');
}
