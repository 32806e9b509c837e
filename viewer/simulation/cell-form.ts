/**
 * Forms of the cell on the Simulation page: place, size and mass of a part, and new parts.
 * Lengths are in mm and angles in degrees here.
 */
import type { Cell, CellObject, CellShape, MoveObjectBody, Vector } from '../../contract/types.ts';
import type { CellView } from '../link/arm-store.ts';
import { button, element } from '../panels/element.ts';
import { saveFile } from '../panels/form.ts';
import { degrees } from '../panels/value-text.ts';
import type { CellPick } from '../scene/cell-layer.ts';
import { deviceForm, newDeviceForm } from './cell-device-form.ts';
import {
  describedNow,
  dropPlace,
  freePlace,
  NEW_SHAPES,
  newName,
  turnOf,
  uprightTurn,
  withFixtureMoved,
  withoutPart,
  withPart,
} from './cell-edit.ts';
import type { SimulationContext } from './form-inputs.ts';
import { numberInput, selectInput, textInput, type ValueInput } from './form-inputs.ts';

const MM_PER_M = 1000;
const G_PER_KG = 1000;
const RAD = Math.PI / 180;
const UNTITLED = 'cell';
const NEW_MASS_KG = 0.1;

/** What the panel does with the cell; each shows the server's refusal. */
export function createCellActions({ calls, view }: SimulationContext) {
  const cell = (): CellView | null => view().sim?.cell ?? null;
  const replace = (next: Cell) => calls.run((client) => client.setCell(next));
  function edit(change: (now: Cell) => Cell): void {
    const now = cell();
    void replace(change(now ? describedNow(now) : { name: UNTITLED }));
  }
  return {
    cell,
    replace,
    edit,
    remove: () => void calls.run((client) => client.removeCell()),
    move: (name: string, place: MoveObjectBody) =>
      void calls.run((client) => client.moveCellObject({ object_name: name }, place)),
    /** Puts a dragged part to its new place. */
    drop({ kind, name }: CellPick, by: { readonly x: number; readonly y: number }): void {
      const now = cell();
      if (kind === 'fixture') edit((before) => withFixtureMoved(before, name, by));
      const object = now?.state.objects.find((each) => each.name === name);
      if (!now || !object) return;
      const { x, y, z } = object.position;
      const place = dropPlace(now, name, { x: x + by.x, y: y + by.y, z });
      void calls.run((client) => client.moveCellObject({ object_name: name }, place));
    },
    press: (name: string, active: boolean) =>
      void calls.run((client) => client.setCellControl({ control_name: name }, { active })),
    save(): void {
      const now = cell();
      if (!now) return;
      const text = `${JSON.stringify(describedNow(now), null, 2)}\n`;
      saveFile(`${now.description.name}.json`, new Blob([text], { type: 'application/json' }));
    },
  };
}

export type CellActions = ReturnType<typeof createCellActions>;

interface PlaceInputs {
  readonly element: HTMLElement;
  read(): { readonly position: Vector; readonly turn_rad: number };
}

function placeInputs(position: Vector, turn_rad: number): PlaceInputs {
  const mm = (value: number) => Number((value * MM_PER_M).toFixed(1));
  const axis = (name: 'x' | 'y' | 'z') => numberInput(`${name}, mm`, { value: mm(position[name]) });
  const inputs = [axis('x'), axis('y'), axis('z')];
  const turn = numberInput('Turn, °', { value: Number(degrees(turn_rad).toFixed(1)) });
  const metres = (i: number) => (inputs[i]!.read() ?? 0) / MM_PER_M;
  return {
    element: element(
      'div',
      { class: 'simulation-line' },
      ...[...inputs, turn].map((input) => input.element),
    ),
    read: () => ({
      position: { x: metres(0), y: metres(1), z: metres(2) },
      turn_rad: (turn.read() ?? 0) * RAD,
    }),
  };
}

/** Inputs for the numbers of a shape, by the names of the API. */
function shapeInputs(shape: CellShape) {
  const flat =
    shape.kind === 'box'
      ? Object.entries(shape.size_m)
      : Object.entries(shape).filter(([name]) => name.endsWith('_m'));
  const inputs = flat.map(([name, value]): [string, ValueInput<number>] => {
    const label = shape.kind === 'box' ? `Size ${name}` : name.replace('_m', '');
    const millimetres = Number(((value as number) * MM_PER_M).toFixed(2));
    return [name, numberInput(`${label}, mm`, { value: millimetres, min: 0.1 })];
  });
  return {
    elements: inputs.map(([, input]) => input.element),
    read(): CellShape {
      const sizes = Object.fromEntries(
        inputs.map(([name, input]) => [name, (input.read() ?? 1) / MM_PER_M]),
      );
      return (shape.kind === 'box' ? { ...shape, size_m: sizes } : { ...shape, ...sizes }) as never;
    },
  };
}

/** The form of an object. */
function objectForm(object: CellObject, { state }: CellView, actions: CellActions): HTMLElement[] {
  const { name, shape, mass_kg } = object;
  const now = state.objects.find((each) => each.name === name);
  if (!now) return [];
  const place = placeInputs(now.position, turnOf(now.orientation));
  const mass = numberInput('Mass, g', { value: Number((mass_kg * G_PER_KG).toFixed(1)), min: 0.1 });
  const sizes = shapeInputs(shape);
  function move(): void {
    const { position, turn_rad } = place.read();
    actions.move(name, { position, orientation: uprightTurn(turn_rad) });
  }
  const change = () => ({ shape: sizes.read(), mass_kg: (mass.read() ?? 1) / G_PER_KG });
  return [
    place.element,
    element(
      'div',
      { class: 'simulation-line' },
      button({ class: 'primary' }, move, 'Put there'),
      button({ class: 'plain' }, () => actions.edit((cell) => withoutPart(cell, name)), 'Remove'),
    ),
    element('div', { class: 'simulation-line' }, ...sizes.elements, mass.element),
    button(
      { class: 'plain' },
      () => actions.edit((cell) => withPart(cell, name, change)),
      'Change size and mass',
    ),
  ];
}

/** The form of the selected part; doors and buttons can only be removed. */
export function partForm(cell: CellView, name: string, actions: CellActions): HTMLElement[] {
  const { description } = cell;
  const object = description.objects?.find((each) => each.name === name);
  if (object) return objectForm(object, cell, actions);
  const device = deviceForm(description, name, actions);
  if (device) return device;
  const remove = button(
    { class: 'plain' },
    () => actions.edit((now) => withoutPart(now, name)),
    'Remove',
  );
  const fixture = description.fixtures?.find((each) => each.name === name);
  if (!fixture) return [element('div', { class: 'simulation-line' }, remove)];
  const place = placeInputs(fixture.position, turnOf(fixture.orientation));
  const move = () => {
    const { position, turn_rad } = place.read();
    actions.edit((now) =>
      withPart(now, name, () => ({ position, orientation: uprightTurn(turn_rad) })),
    );
  };
  const put = button({ class: 'primary' }, move, 'Move');
  return [place.element, element('div', { class: 'simulation-line' }, put, remove)];
}

/** The lines that add an object, and a gripper, a sensor or a conveyor. */
export function addLine(actions: CellActions, select: (name: string) => void): HTMLElement {
  const kinds = Object.keys(NEW_SHAPES) as CellShape['kind'][];
  const kind = selectInput(
    'New object',
    kinds.map((each) => [each, each] as const),
  );
  const name = textInput('Name');
  function add(): void {
    const now = actions.cell();
    const shape = NEW_SHAPES[kind.read() as CellShape['kind']];
    const empty = { objects: [], grippers: [], sensors: [], conveyors: [], controls: [] };
    const cell = now ?? { description: { name: UNTITLED }, state: empty, events: [] };
    const called = name.read() ?? newName(cell.description, shape.kind);
    const object: CellObject = {
      name: called,
      shape,
      mass_kg: NEW_MASS_KG,
      position: freePlace(cell, shape),
    };
    actions.edit((before) => ({ ...before, objects: [...(before.objects ?? []), object] }));
    select(called);
  }
  const description = (): Cell => actions.cell()?.description ?? { name: UNTITLED };
  return element(
    'div',
    { class: 'cell-new' },
    element(
      'div',
      { class: 'simulation-line' },
      kind.element,
      name.element,
      button({ class: 'plain' }, add, 'Add'),
    ),
    newDeviceForm(actions, description, select),
  );
}
