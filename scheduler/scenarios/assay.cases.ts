/** The assay of the fixtures for tests: complete, or with one plate and one or two tasks. */
import { readFileSync } from 'node:fs';
import type { ArmClient } from '../../contract/client.ts';
import type { RunEvent, StartRunBody } from '../../contract/types.generated.ts';

const TEXT = readFileSync(new URL('../../fixtures/workflows/assay.json', import.meta.url), 'utf8');
const ADDRESS = 'http://127.0.0.1:9000/hooks';
/** Longer than any run of the assay (s). */
export const ENOUGH_S = 2500;
const EPOCH_MS = 1_577_836_800_000;

interface Assay extends Record<string, unknown> {
  workflow: {
    labware: object[];
    tasks: Record<string, object>;
    time_constraints: object[];
    hooks: object[];
  };
}

/** Returns the definition with a receiver URL. */
export function assayDefinition(url = ADDRESS): Assay {
  return JSON.parse(TEXT.replaceAll(ADDRESS, url)) as Assay;
}

/** One plate with one move and one task of 25 s; `rest` is merged into the task. */
export function oneMove(rest: object = {}): Assay {
  const definition = assayDefinition();
  const { workflow } = definition;
  workflow.labware.splice(1);
  workflow.tasks = { dispense_1: { ...workflow.tasks['dispense_1'], ...rest } };
  workflow.time_constraints = [];
  return definition;
}

/** Like `oneMove`, with a second move to the washer. */
export function twoMoves(): Assay {
  const definition = assayDefinition();
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

/** Plates by number, each from the hotel over dispenser and washer back to its slot. */
export function roundTrips(plates: readonly number[], url = ADDRESS): Assay {
  const definition = assayDefinition(url);
  const { workflow } = definition;
  workflow.labware = plates.map((plate) => workflow.labware[plate - 1]!);
  workflow.time_constraints = [];
  const given = workflow.tasks;
  workflow.tasks = {};
  for (const plate of plates) {
    const labware_id = `plate_${plate}`;
    const names = ['dispense', 'wash', 'store'].map((name) => `${name}_${plate}`);
    names.forEach((name, i) => {
      const before = { type: 'labware_source', labware_id, source_task: names[i - 1] };
      const source = { ...before, destination_slot: i === 2 ? plate : 1 };
      const labware_sources = { [labware_id]: source };
      workflow.tasks[name] = { ...given[name], ...(i > 0 && { labware_sources }) };
    });
  }
  return definition;
}

/** Saves and starts a definition. */
export async function startedRun(
  arm: ArmClient,
  definition: Record<string, unknown>,
  body: StartRunBody = {},
) {
  const { workflow } = await arm.createWorkflow(definition);
  const { run } = await arm.startRun({ workflow_id: workflow.id }, body);
  return { run_id: run.id };
}

/** Sets all decks to empty, as an operator does who has cleared them by hand. */
export async function clearDecks(arm: ArmClient): Promise<void> {
  const { workcells } = await arm.listWorkcells();
  for (const { id } of workcells) {
    await arm.setDeck({ workcell_id: id }, { labware: [], gripper: null });
  }
}

/** Stops every run and clears all decks, so that no test starts with what another left. */
export async function clearRuns(arm: ArmClient): Promise<void> {
  const { runs } = await arm.listRuns();
  for (const { id, state } of runs) {
    if (state !== 'stopped') await arm.stopRun({ run_id: id });
  }
  await clearDecks(arm);
}

/** Time of an event in the twin's stepped time (s). */
export function moment_s({ body }: RunEvent): number {
  return (Date.parse(body.timestamp) - EPOCH_MS) / 1000;
}

/** An event as text without its time: type, object, state, message or error. */
export function runEventText({ hook_type, body }: RunEvent): string {
  const kind = hook_type.replace(/(StateChange|Movement)?Hook$/, '');
  const what = 'task_id' in body ? body.task_id : 'labware_id' in body ? body.labware_id : '';
  const state = 'state' in body ? body.state : '';
  const why = 'message' in body ? body.message : 'error' in body ? body.error : '';
  return [kind, what, state, why && `(${why})`].filter((text) => text !== '').join(' ');
}
