/**
 * Forms of the parts of a cell: place, size and mass. Lengths are in mm and angles in degrees
 * here.
 */
import type { CellFixture, CellObject, Vector } from '../../../contract/types.generated.ts';
import type { CellView } from '../../link/cell-view.ts';
import { button } from '../../ui/element.ts';
import { MM_PER_M, RAD_PER_DEG } from '../../ui/units.ts';
import { inputLine, numberInput, textInput } from '../../ui/value-input.ts';
import { degrees } from '../../ui/value-text.ts';
import type { CellActions } from './cell-actions.ts';
import { deviceForm } from './cell-device-form.ts';
import { partOf, withoutPart, withPart, withRenamed } from './cell-edit.ts';
import { boxSize } from './new-part-form.ts';
import { turnOf, uprightTurn } from './part-place.ts';
import { massInput, shapeInputs } from './shape-inputs.ts';

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
      turn_rad: (turn.read() ?? 0) * RAD_PER_DEG,
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
