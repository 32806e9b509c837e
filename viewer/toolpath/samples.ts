/**
 * The samples of a first visit: a toolpath, saved on the arm when first run, and the cell that it
 * works in where the arm is simulated.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { Cell, SetInputsBody, Toolpath } from '../../contract/types.generated.ts';
import { ARM_NAME } from '../../physics/arm/arm-model.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { failureNotice } from '../link/failure-notice.ts';

export interface Sample {
  readonly name: string;
  /** The arm that it was made for: another one cannot reach its poses. */
  readonly arm: string;
  readonly url: URL;
  /** The cell around the arm, for `/sim/v1/cell`. */
  readonly cell: URL;
  /** Inputs that the toolpath waits for; set where a simulated arm has no cell. */
  readonly inputs?: SetInputsBody['values'];
  /** The button of the cell that starts the work. */
  readonly press?: string;
}

/** The samples of every arm that comes with the twin. */
export const ALL_SAMPLES: readonly Sample[] = [
  {
    name: 'Pick and place',
    arm: 'default',
    url: new URL('../../fixtures/toolpaths/there-and-back.json', import.meta.url),
    cell: new URL('../../fixtures/cells/trays.json', import.meta.url),
  },
  {
    name: 'Sorter',
    arm: 'default',
    url: new URL('../../fixtures/toolpaths/sorter.json', import.meta.url),
    cell: new URL('../../fixtures/cells/sorter.json', import.meta.url),
    inputs: { d0: true, ee_a0: 8 },
  },
  {
    name: 'Assay',
    arm: 'default',
    url: new URL('../../fixtures/toolpaths/assay.json', import.meta.url),
    cell: new URL('../../fixtures/cells/assay.json', import.meta.url),
    inputs: { d0: true, d3: true },
    press: 'start',
  },
  {
    name: 'Pick and place',
    arm: 'viperx-300',
    url: new URL('../../fixtures/arms/viperx-300/there-and-back.json', import.meta.url),
    cell: new URL('../../fixtures/arms/viperx-300/cell.json', import.meta.url),
  },
  {
    name: 'Pick and place',
    arm: 'widowx-250',
    url: new URL('../../fixtures/arms/widowx-250/there-and-back.json', import.meta.url),
    cell: new URL('../../fixtures/arms/widowx-250/cell.json', import.meta.url),
  },
];

/** Those of the arm in use; none for one of the user's own. */
export const SAMPLES: readonly Sample[] = ALL_SAMPLES.filter(({ arm }) => arm === ARM_NAME);

/** The content of a JSON file of the page. */
export async function fetchJson<Document>(url: URL): Promise<Document> {
  return (await (await fetch(url)).json()) as Document;
}

/** What a sample is run with: its toolpath, and its cell where the arm is in a simulated world. */
export interface SampleDocuments {
  readonly toolpath: Toolpath;
  readonly cell: Cell | null;
}

/** The id of the toolpath on the arm; saves it first, also where another one has its name. */
async function savedId(client: ArmClient, name: string, toolpath: Toolpath): Promise<number> {
  const { toolpaths } = await client.listToolpaths();
  const hash = hashToolpath(toolpath);
  const known = toolpaths.find((head) => head.name === name && head.hash === hash);
  return known?.id ?? (await client.createToolpath({ name, toolpath })).toolpath.id;
}

/** Loads a sample, sets up its cell and runs it once; needs the lock. Throws what is refused. */
export async function startSample(
  client: ArmClient,
  { name, press, inputs }: Sample,
  { toolpath, cell }: SampleDocuments,
): Promise<void> {
  await client.useToolpath({ toolpath_id: await savedId(client, name, toolpath) });
  if (cell) {
    await client.setCell(cell);
    if (press) await client.setCellControl({ control_name: press }, { active: true });
  } else if (inputs) await client.setInputs({ values: inputs });
  await client.run({ mode: 'automatic', loop: 1 });
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
  const outcome = await calls.call(async (client) => {
    const { sim } = store.view();
    const toolpath = await fetchJson<Toolpath>(sample.url);
    const cell = sim?.obstacles ? await fetchJson<Cell>(sample.cell) : null;
    const { inputs, ...known } = sample;
    await startSample(client, sim && inputs ? { ...known, inputs } : known, { toolpath, cell });
  });
  store.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
}
