/** The fields of the size and the mass of an object: lengths in mm, masses in g. */
import type { CellShape, Vector } from '../../../contract/types.generated.ts';
import { type Bound, NumberField } from '../../ui/fields.tsx';
import { MM_PER_M } from '../../ui/units.ts';
import { LengthFields } from './place-fields.tsx';

const G_PER_KG = 1000;
/** The smallest size and mass that a field takes, in its own unit. */
const LEAST = 0.1;
/** What a cleared field means: 1 mm, and 1 g. */
const CLEARED = 0.001;

/** The size of a box. */
export function SizeFields(props: Bound<Vector>) {
  return <LengthFields label="Size" min={LEAST} {...props} />;
}

/** The numbers of a shape. */
export function ShapeFields({ value: shape, set }: Bound<CellShape>) {
  if (shape.kind === 'box') {
    return <SizeFields value={shape.size_m} set={(size_m) => set({ ...shape, size_m })} />;
  }
  const sizes = Object.entries(shape).filter(([name]) => name.endsWith('_m'));
  return sizes.map(([name, value]) => (
    <NumberField
      key={name}
      label={`${name.replace('_m', '')}, mm`}
      min={LEAST}
      scale={MM_PER_M}
      digits={2}
      value={Number(value)}
      set={(now = CLEARED) => set({ ...shape, [name]: now })}
    />
  ));
}

/** The mass of an object (kg). */
export function MassField({ value, set }: Bound<number>) {
  return (
    <NumberField
      label="Mass, g"
      min={LEAST}
      scale={G_PER_KG}
      digits={1}
      value={value}
      set={(now = CLEARED) => set(now)}
    />
  );
}
