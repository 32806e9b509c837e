/** The form that adds a part to the cell. */

import type { Cell, CellObject, CellShape } from '../../../contract/types.generated.ts';
import type { CellView } from '../../link/cell-view.ts';
import { button, element } from '../../ui/element.ts';
import { inputLine, selectInput, textInput } from '../../ui/value-input.ts';
import { type CellActions, UNTITLED } from './cell-actions.ts';
import { deviceFields, kindOf, NEW_DEVICES, withDevice } from './cell-device-form.ts';
import { NEW_SHAPES, newName } from './cell-edit.ts';
import { freePlace } from './part-place.ts';
import { readableName } from './schema-form.ts';
import { massInput, shapeInputs } from './shape-inputs.ts';

const NEW_MASS_KG = 0.1;

/** A kind of part that can be added: its fields, and what they add to a cell. */
interface NewPart {
  readonly kind: string;
  fields(cell: CellView): {
    readonly elements: readonly HTMLElement[];
    added(name: string): (cell: Cell) => Cell;
  };
}

const NEW_FIXTURE: CellShape = { kind: 'box', size_m: { x: 0.15, y: 0.15, z: 0.05 } };

export const boxSize = (shape: CellShape) => ({
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
