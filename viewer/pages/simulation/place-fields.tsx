/** The fields of a place: lengths in mm, the angle about the vertical in degrees. */
import type { Quaternion, Vector } from '../../../contract/types.generated.ts';
import { type Bound, NumberField } from '../../ui/fields.tsx';
import { AXES, MM_PER_M, RAD_PER_DEG } from '../../ui/units.ts';
import { turnOf, uprightTurn } from './part-place.ts';

/** A position, and an orientation; other values stay as they are. */
type Place = Readonly<Record<string, unknown>>;

interface VectorProps extends Bound<Vector> {
  /** Before the name of each axis; may be empty. */
  readonly label: string;
  readonly unit: string;
  readonly scale: number;
  readonly min?: number;
}

const ORIGIN = { x: 0, y: 0, z: 0 };

/** The three numbers of a vector. */
export function VectorFields({ label, unit, value = ORIGIN, set, ...shown }: VectorProps) {
  return AXES.map((axis) => (
    <NumberField
      key={axis}
      label={`${`${label} ${axis}`.trim()}${unit && `, ${unit}`}`}
      {...shown}
      digits={3}
      value={value[axis]}
      set={(now = 0) => set({ ...value, [axis]: now })}
    />
  ));
}

/** A vector in millimetres. */
export function LengthFields(
  props: Bound<Vector> & { readonly label: string; readonly min?: number },
) {
  return <VectorFields {...props} unit="mm" scale={MM_PER_M} />;
}

/** The turn of a part about the vertical; one that is turned stands upright. */
export function TurnField({ value, set }: Bound<Quaternion>) {
  return (
    <NumberField
      label="Turn, °"
      digits={1}
      value={turnOf(value) / RAD_PER_DEG}
      set={(turn = 0) => set(uprightTurn(turn * RAD_PER_DEG))}
    />
  );
}

/** Where a part is. */
export function PlaceFields({ value, set }: Bound<Place>) {
  return (
    <>
      <LengthFields
        label=""
        value={value['position'] as Vector}
        set={(position) => set({ ...value, position })}
      />
      <TurnField
        value={value['orientation'] as Quaternion}
        set={(orientation) => set({ ...value, orientation })}
      />
    </>
  );
}

/** A place where a part stands upright, be it one that fell over. */
export function uprightPlace(place: Place) {
  const turn_rad = turnOf(place['orientation'] as Quaternion | undefined);
  return { ...place, orientation: uprightTurn(turn_rad) };
}
