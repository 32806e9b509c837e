/**
 * The cell on the Simulation page: samples and files, its parts with their states, and a form for
 * the selected one. Parts can also be dragged in the scene. Lengths are in mm and angles in degrees
 * here.
 */
import { useComputed, useSignal } from '@preact/signals';
import type { Cell } from '../../../contract/types.generated.ts';
import { fetchJson, SAMPLES } from '../../toolpath/samples.ts';
import { Button } from '../../ui/buttons.tsx';
import { bind, ChoiceField } from '../../ui/fields.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { NewPartForm } from './new-part-form.tsx';
import type { PanelProps } from './panel-context.ts';
import { PartForm } from './part-form.tsx';
import { PartList } from './part-list.tsx';
import { Section } from './section.tsx';

const HINT =
  'Drag parts in the scene, a beam also at an end; Shift snaps to 10 mm. ' +
  'Arrow keys move the part whose row has the focus along x and y.';
const NO_CELL = 'No cell. Use a sample, or add an object.';
const SAMPLE_OPTIONS = SAMPLES.map(({ name }) => [name, name] as const);

/** The text of a file as a cell; the server checks it. */
function parseCell(text: string): Cell | null {
  try {
    const read = JSON.parse(text) as Cell | { readonly cell: Cell };
    return 'cell' in read ? read.cell : read;
  } catch {
    return null;
  }
}

/** Samples, files and removal. */
function FileLine({ context: { calls, arm, actions } }: PanelProps) {
  const { showProblem } = calls;
  const hasCell = useComputed(() => Boolean(arm.value.sim?.cell)).value;
  const sample = useSignal(SAMPLES[0]!.name);
  async function use(): Promise<void> {
    const chosen = SAMPLES.find(({ name }) => name === sample.value)!;
    await actions.replace(await fetchJson<Cell>(chosen.cell));
  }
  function open(text: string): void {
    const cell = parseCell(text);
    if (cell) void actions.replace(cell);
    else showProblem('The file is not JSON. Choose a file with a cell.');
  }
  return (
    <div class="form-line">
      <ChoiceField label="Sample" options={SAMPLE_OPTIONS} {...bind(sample)} />
      <Button class="primary" onClick={use}>
        Use sample
      </Button>
      <FileButton onText={(_, text) => open(text)} onProblem={showProblem}>
        Open cell
      </FileButton>
      <Button disabled={!hasCell} onClick={actions.save}>
        Save cell
      </Button>
      <Button disabled={!hasCell} onClick={actions.remove}>
        Remove cell
      </Button>
      <Button disabled={!actions.canUndo.value} onClick={actions.undo}>
        Undo
      </Button>
    </div>
  );
}

/** The panel of the cell. */
export function CellPanel({ context }: PanelProps) {
  const { arm, actions, select, onKey } = context;
  const cell = useComputed(() => arm.value.sim?.cell ?? null).value;
  const isKnown = useComputed(() => arm.value.sim?.isCellKnown ?? false).value;
  const selected = context.selected.value;
  return (
    // An edit of a cell that is not known yet would replace the one that is there.
    <Section name="Cell" inert={!isKnown}>
      <FileLine context={context} />
      <p class="empty" role="status" hidden={cell !== null}>
        {isKnown ? NO_CELL : 'Reading the cell …'}
      </p>
      {cell && <PartList {...{ cell, selected, select, onKey }} press={actions.press} />}
      {cell && selected !== null && <PartForm {...{ cell, actions, select }} name={selected} />}
      <NewPartForm actions={actions} select={select} />
      <p class="sub">{HINT}</p>
    </Section>
  );
}
