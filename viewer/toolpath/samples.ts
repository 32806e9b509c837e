/**
 * The samples of a first visit: a toolpath, saved on the arm when first run, and the cell that it
 * works in where the arm is simulated.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { Cell, SetInputsBody, Toolpath } from '../../contract/types.generated.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { failureNotice } from '../link/failure-notice.ts';

export interface Sample {
  readonly name: string;
  readonly url: URL;
  /** The cell around the arm, for `/sim/v1/cell`. */
  readonly cell: URL;
  /** Inputs that the toolpath waits for; set where a simulated arm has no cell. */
  readonly inputs?: SetInputsBody['values'];
  /** The button of the cell that starts the work. */
  readonly press?: string;
}

export const SAMPLES: readonly Sample[] = [
  {
    name: 'Pick and place',
    url: new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url),
    cell: new URL('../../fixtures/cells/trays.json', import.meta.url),
  },
  {
    name: 'Sorter',
    url: new URL('../../fixtures/toolpaths/sorter.json', import.meta.url),
    cell: new URL('../../fixtures/cells/sorter.json', import.meta.url),
    inputs: { d0: true, ee_a0: 8 },
  },
  {
    name: 'Assay',
    url: new URL('../../fixtures/toolpaths/assay.json', import.meta.url),
    cell: new URL('../../fixtures/cells/assay.json', import.meta.url),
    inputs: { d0: true, d3: true },
    press: 'start',
  },
];

/** The content of a JSON file of the page. */
export async function fetchJson<Document>(url: URL): Promise<Document> {
  return (await (await fetch(url)).json()) as Document;
}

/** Puts the cell of a sample around a simulated arm. */
async function setSampleCell(client: ArmClient, { cell, press }: Sample): Promise<void> {
  await client.setCell(await fetchJson<Cell>(cell));
  if (press) await client.setCellControl({ control_name: press }, { active: true });
}

/** The id of the sample on the arm; saves it first if there is none of this name. */
async function savedId(client: ArmClient, { name, url }: Sample): Promise<number> {
  const { toolpaths } = await client.listToolpaths();
  const known = toolpaths.find((head) => head.name === name);
  if (known) return known.id;
  const toolpath = await fetchJson<Toolpath>(url);
  return (await client.createToolpath({ name, toolpath })).toolpath.id;
}

export interface SampleParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
}

/** Loads and runs a sample; a refusal becomes a notice. Takes the lock. */
export async function runSample(parts: SampleParts, sample: Sample): Promise<void> {
  const { store, calls, commands } = parts;
  if (!(await commands.acquireLock())) return;
  const { inputs } = sample;
  const outcome = await calls.call(async (client) => {
    const toolpath_id = await savedId(client, sample);
    await client.useToolpath({ toolpath_id });
    const { sim } = store.view();
    if (sim?.obstacles) await setSampleCell(client, sample);
    else if (sim && inputs) await client.setInputs({ values: inputs });
    await client.run({ mode: 'automatic', loop: 1 });
  });
  store.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
}
