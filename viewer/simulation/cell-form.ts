/**
 * Forms of the cell on the Simulation page: place, size and mass of a part, and new parts.
 * Lengths are in mm and angles in degrees here.
 */
import type { Cell, CellFixture, CellObject, CellShape, Vector } from '../../contract/types.ts';
import type { CellView } from '../link/arm-store.ts';
import { button, element } from '../panels/element.ts';
import { degrees } from '../panels/value-text.ts';
import { deviceFields, deviceForm, kindOf, NEW_DEVICES, withDevice } from './cell-device-form.ts';
import {
  freePlace,
  NEW_SHAPES,
  newName,
  partOf,
  turnOf,
  uprightTurn,
  withoutPart,
  withPart,
  withRenamed,
} from './cell-edit.ts';
import type { CellActions } from './cell-panel.ts';
import {
  inputLine,
  massInput,
  numberInput,
  readableName,
  selectInput,
  shapeInputs,
  textInput,
} from './form-inputs.ts';

const MM_PER_M = 1000;
const RAD = Math.PI / 180;
/** Name of a cell that was made on the page. */
export const UNTITLED = 'cell';
const NEW_MASS_KG = 0.1;

/** Shows another part, by its name. */
interface PartSelection {
  select(name: string): void;
}

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
    element: inputLine(...[...inputs, turn].map((input) => input.element)),
    read: () => ({
      position: { x: metres(0), y: metres(1), z: metres(2) },
      turn_rad: (turn.read() ?? 0) * RAD,
    }),
  };
}

/** The form of an object. */
function objectForm(object: CellObject, { state }: CellView, actions: CellActions): HTMLElement[] {
  const { name, shape, mass_kg } = object;
  const now = state.objects.find((each) => each.name === name);
  if (!now) return [];
  const place = placeInputs(now.position, turnOf(now.orientation));
  const mass = massInput(mass_kg);
  const sizes = shapeInputs(shape);
  function move(): void {
    const { position, turn_rad } = place.read();
    actions.move(name, { position, orientation: uprightTurn(turn_rad) });
  }
  const change = () => ({ shape: sizes.read(), mass_kg: mass.read() });
  return [
    place.element,
    inputLine(
      button({ class: 'primary' }, move, 'Put there'),
      button(
        { class: 'plain' },
        () => void actions.edit((cell) => withoutPart(cell, name), name),
        'Remove',
      ),
    ),
    inputLine(...sizes.elements, mass.element),
    button(
      { class: 'plain' },
      () => void actions.edit((cell) => withPart(cell, name, change), name),
      'Change size and mass',
    ),
  ];
}

/** The form of a fixture; one of several boxes is changed in the file. */
function fixtureForm(fixture: CellFixture, actions: CellActions): HTMLElement[] {
  const { name, boxes } = fixture;
  const place = placeInputs(fixture.position, turnOf(fixture.orientation));
  const [box] = boxes;
  const sizes = box && boxes.length === 1 ? shapeInputs({ kind: 'box', ...box }) : null;
  function change(): void {
    const { position, turn_rad } = place.read();
    const size = sizes ? { boxes: [{ ...box, ...boxSize(sizes.read()) }] } : {};
    actions.place(name, () => ({ position, orientation: uprightTurn(turn_rad), ...size }));
  }
  const remove = (): void => void actions.edit((now) => withoutPart(now, name), name);
  return [
    place.element,
    ...(sizes ? [inputLine(...sizes.elements)] : []),
    inputLine(
      button({ class: 'primary' }, change, sizes ? 'Change' : 'Move'),
      button({ class: 'plain' }, remove, 'Remove'),
    ),
  ];
}

/** The line that renames a part, with what refers to it. */
function nameLine(name: string, actions: CellActions & PartSelection): HTMLElement {
  const input = textInput('Part name', name);
  async function rename(): Promise<void> {
    const to = input.read();
    if (to === undefined || to === name) return;
    if (await actions.edit((now) => withRenamed(now, name, to), name)) actions.select(to);
  }
  return inputLine(
    input.element,
    button({ class: 'plain' }, () => void rename(), 'Rename'),
  );
}

/** The form of the selected part. */
export function partForm(
  cell: CellView,
  name: string,
  actions: CellActions & PartSelection,
): HTMLElement[] {
  const { description } = cell;
  if (!partOf(description, name)) return [];
  const naming = nameLine(name, actions);
  const object = description.objects?.find((each) => each.name === name);
  if (object) return [naming, ...objectForm(object, cell, actions)];
  const device = deviceForm(description, name, actions);
  if (device) return [naming, ...device];
  const fixture = description.fixtures?.find((each) => each.name === name);
  return [naming, ...(fixture ? fixtureForm(fixture, actions) : [])];
}

/** A kind of part that can be added: its fields, and what they add to a cell. */
interface NewPart {
  readonly kind: string;
  fields(cell: CellView): {
    readonly elements: readonly HTMLElement[];
    added(name: string): (cell: Cell) => Cell;
  };
}

const NEW_FIXTURE: CellShape = { kind: 'box', size_m: { x: 0.15, y: 0.15, z: 0.05 } };

const boxSize = (shape: CellShape) => ({
  size_m: shape.kind === 'box' ? shape.size_m : { x: 0, y: 0, z: 0 },
});

const NEW_PARTS: readonly NewPart[] = [
  {
    kind: 'fixture',
    fields(cell) {
      const sizes = shapeInputs(NEW_FIXTURE);
      return {
        elements: sizes.elements,
        added(name) {
          const own = sizes.read();
          const fixture = { name, position: freePlace(cell, own), boxes: [boxSize(own)] };
          return (now) => ({ ...now, fixtures: [...(now.fixtures ?? []), fixture] });
        },
      };
    },
  },
  ...Object.values(NEW_SHAPES).map((shape) => ({
    kind: shape.kind,
    fields(cell: CellView) {
      const sizes = shapeInputs(shape);
      const mass = massInput(NEW_MASS_KG);
      return {
        elements: [...sizes.elements, mass.element],
        added(name: string) {
          const own = sizes.read();
          const position = freePlace(cell, own);
          const object: CellObject = { name, shape: own, mass_kg: mass.read() ?? 1, position };
          return (now: Cell) => ({ ...now, objects: [...(now.objects ?? []), object] });
        },
      };
    },
  })),
  ...NEW_DEVICES.map(([list, values]) => ({
    kind: kindOf(list, values),
    fields({ description }: CellView) {
      const of = 'of' in values ? { of: description.fixtures?.[0]?.name ?? '' } : {};
      const start = { ...values, ...of };
      const { elements, read } = deviceFields(list, start);
      const added = (name: string) => (now: Cell) =>
        withDevice(now, list, { ...start, ...read(), name });
      return { elements, added };
    },
  })),
];

const NO_CELL: CellView = {
  description: { name: UNTITLED },
  state: { objects: [], grippers: [], sensors: [], conveyors: [], controls: [] },
  events: [],
};

/** The line that sets up a new part: its kind, then its name and fields, then Add. */
export function newPartForm(actions: CellActions, select: (name: string) => void): HTMLElement {
  const fold = element('div', { class: 'cell-form', hidden: true });
  const choice = selectInput(
    'New part',
    NEW_PARTS.map(({ kind }) => [kind, readableName(kind)] as const),
  );
  const close = (): void => {
    fold.hidden = true;
    fold.replaceChildren();
  };
  function setUp(): void {
    const { kind, fields } = NEW_PARTS.find((part) => part.kind === choice.read())!;
    const cell = () => actions.cell() ?? NO_CELL;
    const name = textInput('Name', newName(cell().description, kind));
    const { elements, added } = fields(cell());
    async function add(): Promise<void> {
      const called = name.read() ?? newName(cell().description, kind);
      if (await actions.edit(added(called))) select(called);
    }
    fold.replaceChildren(
      inputLine(name.element),
      inputLine(...elements),
      inputLine(
        button({ class: 'primary' }, () => void add(), `Add ${kind}`),
        button({ class: 'plain' }, close, 'Close'),
      ),
    );
    fold.hidden = false;
  }
  const open = button({ class: 'plain' }, setUp, 'Set up');
  return element('div', { class: 'cell-new' }, inputLine(choice.element, open), fold);
}
