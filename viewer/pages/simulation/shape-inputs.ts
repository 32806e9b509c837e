/** Inputs for the size and the mass of an object. */
import type { CellShape } from '../../../contract/types.generated.ts';
import { MM_PER_M } from '../../ui/units.ts';
import { numberInput, type ValueInput } from '../../ui/value-input.ts';

const G_PER_KG = 1000;

/** Inputs for the numbers of a shape, by the names of the API. */
export function shapeInputs(shape: CellShape) {
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

/** Input for a mass (kg). */
export function massInput(mass_kg: number): ValueInput<number> {
  const grams = Number((mass_kg * G_PER_KG).toFixed(1));
  const input = numberInput('Mass, g', { value: grams, min: 0.1 });
  return { element: input.element, read: () => (input.read() ?? 1) / G_PER_KG };
}
