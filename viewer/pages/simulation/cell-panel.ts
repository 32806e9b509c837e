/**
 * The cell on the Simulation page: samples and files, its parts with their states, and a form for
 * the selected one. Parts can also be dragged in the scene. Lengths are in mm and angles in degrees
 * here.
 */

import type { Cell, CellState, Vector } from '../../../contract/types.generated.ts';
import type { CellView } from '../../link/cell-view.ts';
import { heading } from '../../shell/heading.ts';
import { fetchJson, SAMPLES } from '../../toolpath/samples.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { filePicker } from '../../ui/user-file.ts';
import { inputLine, selectInput } from '../../ui/value-input.ts';
import { decimal } from '../../ui/value-text.ts';
import type { BeamEnd } from './beam-end.ts';
import { type CellActions, createCellActions } from './cell-actions.ts';
import { cellParts } from './cell-edit.ts';
import { partForm } from './cell-part-form.ts';
import { newPartForm } from './new-part-form.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

const HINT =
  'Drag parts in the scene, a beam also at an end; Shift snaps to 10 mm. ' +
  'Arrow keys move the part whose row has the focus along x and y.';

export interface CellPanel extends SimulationPanel {
  /** Selects a part by its name; null for none. */
  select(name: string | null): void;
  /** Puts a dragged part, or an end of a beam, to its new place. */
  drop(name: string, by: Vector, end: BeamEnd | null): void;
}

export interface CellPanelEvents {
  onSelect(name: string | null): void;
  /** A key on the row of a part; returns whether it is used. */
  onKey(name: string, event: KeyboardEvent): boolean;
}

/** The state of a part in a few words. */
export function partText(state: CellState, name: string): string {
  const named = <Part extends { readonly name: string }>(parts: readonly Part[]) =>
    parts.find((part) => part.name === name);
  const object = named(state.objects);
  if (object?.held_by) return `held by ${object.held_by}`;
  if (object?.status === 'carried') return `carried on ${object.at}`;
  if (object?.at) return object.status === 'tipped' ? `fell over on ${object.at}` : object.at;
  if (object) return object.status;
  const gripper = named(state.grippers);
  if (gripper?.holds) return `holds ${gripper.holds}`;
  if (gripper) return gripper.closed ? 'closed, empty' : 'open';
  const sensor = named(state.sensors);
  if (typeof sensor?.value === 'number') return decimal(sensor.value, 2);
  if (sensor) return sensor.active ? 'sees something' : 'free';
  const conveyor = named(state.conveyors);
  if (conveyor) return conveyor.running ? 'runs' : 'stands';
  return '';
}

/** The text of a file as a cell; the server checks it. */
function parseCell(text: string): Cell | null {
  try {
    const read = JSON.parse(text) as Cell | { readonly cell: Cell };
    return 'cell' in read ? read.cell : read;
  } catch {
    return null;
  }
}

/** The list of parts: the rows stay while only states change, so that focus stays too. */
function partList(
  select: (name: string) => void,
  press: (name: string, now: boolean) => void,
  onKey: CellPanelEvents['onKey'],
) {
  const list = element('ul', { class: 'simulation-rows cell-parts' });
  let shown: Cell | null = null;
  let rows: { name: string; open: HTMLElement; state: HTMLElement; toggle: HTMLElement | null }[] =
    [];
  function build(cell: Cell): void {
    const focused = rows.find(({ open }) => open === document.activeElement)?.name;
    const controls = new Map((cell.controls ?? []).map((control) => [control.name, control]));
    rows = cellParts(cell).map(({ name, kind }) => {
      const state = element('span', { class: 'sub' });
      const label = element('span', { class: 'grow' }, name);
      const open = button({ class: 'cell-part' }, () => select(name), label, state);
      setAttribute(open, 'title', `${name}, ${kind}`);
      open.addEventListener('keydown', (event) => {
        if (onKey(name, event)) event.preventDefault();
      });
      const control = controls.get(name);
      const act = (): void => press(name, toggle?.dataset['active'] === undefined);
      const toggle = control ? button({ class: 'plain' }, act) : null;
      return { name, open, state, toggle };
    });
    list.replaceChildren(
      ...rows.map(({ open, toggle }) => element('li', {}, open, ...(toggle ? [toggle] : []))),
    );
    rows.find(({ name }) => name === focused)?.open.focus();
  }
  return {
    element: list,
    show({ description, state }: CellView, selected: string | null): void {
      if (description !== shown) build(description);
      shown = description;
      for (const row of rows) {
        setText(row.state, partText(state, row.name));
        setAttribute(row.open, 'aria-pressed', String(row.name === selected));
        const active = state.controls.find(({ name }) => name === row.name)?.active ?? false;
        if (!row.toggle) continue;
        setAttribute(row.toggle, 'data-active', active);
        const door = description.controls?.find(({ name }) => name === row.name)?.kind === 'door';
        const text = door ? (active ? 'Close' : 'Open') : active ? 'Release' : 'Press';
        setText(row.toggle, text);
        // The name begins with what is seen, so that speech finds it, and ends with which one.
        setAttribute(row.toggle, 'aria-label', `${text} ${row.name}`);
      }
    },
  };
}

/** Samples, files and removal. */
function fileLine(actions: CellActions, showProblem: (text: string) => void) {
  const sample = selectInput(
    'Sample',
    SAMPLES.map(({ name }) => [name, name] as const),
  );
  async function use(): Promise<void> {
    const chosen = SAMPLES.find(({ name }) => name === sample.read());
    if (chosen) await actions.replace(await fetchJson<Cell>(chosen.cell));
  }
  const picker = filePicker({
    onText(_name, text) {
      const cell = parseCell(text);
      if (cell) void actions.replace(cell);
      else showProblem('The file is not JSON. Choose a file with a cell.');
    },
    onProblem: showProblem,
  });
  const save = button({ class: 'plain' }, actions.save, 'Save cell');
  const remove = button({ class: 'plain' }, actions.remove, 'Remove cell');
  const undo = button({ class: 'plain' }, () => void actions.undo(), 'Undo');
  const line = inputLine(
    sample.element,
    button({ class: 'primary' }, () => void use(), 'Use sample'),
    button({ class: 'plain' }, () => picker.click(), 'Open cell'),
    picker,
    save,
    remove,
    undo,
  );
  return {
    element: line,
    update(): void {
      for (const each of [save, remove]) setAttribute(each, 'disabled', !actions.cell());
      setAttribute(undo, 'disabled', !actions.canUndo());
    },
  };
}

const NO_CELL = 'No cell. Use a sample, or add an object.';

/** The panel of the cell. */
export function createCellPanel(
  context: SimulationContext,
  { onSelect, onKey }: CellPanelEvents,
): CellPanel {
  const actions = createCellActions(context);
  const empty = element('p', { class: 'empty', role: 'status' });
  const form = element('div', { class: 'cell-form', hidden: true });
  let selected: string | null = null;
  let formOf: string | null = null;
  let formKey = '';
  const list = partList((name) => select(name === selected ? null : name), actions.press, onKey);
  const files = fileLine(actions, context.calls.showProblem);
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Cell' },
    heading('Cell').element,
    files.element,
    ...[empty, list.element, form],
    newPartForm(actions, (name) => select(name)),
    element('p', { class: 'sub wrap' }, HINT),
  );
  function select(name: string | null): void {
    selected = name;
    onSelect(name);
    show(actions.cell());
  }
  /** Builds the form again when its part has changed, but not under the user's hands. */
  function showForm(cell: CellView): void {
    const now = cell.state.objects.find(({ name }) => name === selected);
    const key = JSON.stringify([cell.description, now?.status === 'moving' ? null : now]);
    const isOther = formOf !== selected;
    if (!isOther && (key === formKey || form.contains(document.activeElement))) return;
    formOf = selected;
    formKey = key;
    const parts = selected === null ? [] : partForm(cell, selected, { ...actions, select });
    setAttribute(form, 'hidden', parts.length === 0);
    form.replaceChildren(...parts);
  }
  function show(cell: CellView | null): void {
    setAttribute(empty, 'hidden', cell !== null);
    setAttribute(list.element, 'hidden', cell === null);
    if (cell) list.show(cell, selected);
    if (cell) showForm(cell);
    else setAttribute(form, 'hidden', true);
  }
  return {
    element: panel,
    select,
    update({ sim }) {
      setAttribute(panel, 'hidden', sim?.obstacles === null);
      // An edit of a cell that is not known yet would replace the one that is there.
      setAttribute(panel, 'inert', !sim?.isCellKnown);
      setText(empty, sim?.isCellKnown ? NO_CELL : 'Reading the cell …');
      actions.follow(sim?.cell?.description ?? null);
      show(sim?.cell ?? null);
      files.update();
    },
    drop: actions.drop,
  };
}
