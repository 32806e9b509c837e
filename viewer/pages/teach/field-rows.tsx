/** The rows of the forms of a toolpath: a label, a field, and the unit of its value. */
import type { ComponentChildren } from 'preact';
import type { Vector } from '../../../contract/types.generated.ts';
import { type Bound, Choice, type Options } from '../../ui/fields.tsx';
import { HeldInput, HeldNumberInput } from '../../ui/held-input.tsx';
import type { NumberBounds } from '../../ui/number-input.ts';
import { AXES } from '../../ui/units.ts';

interface RowProps {
  readonly label: string;
  readonly unit?: string | undefined;
}

function Row({ label, unit, children }: RowProps & { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child
    <label class="field-row">
      <span>{label}</span>
      {children}
      {unit && <span class="unit">{unit}</span>}
    </label>
  );
}

/** Rounds to 12 digits: 0.1 m is 100 mm. */
function withoutRoundingNoise(value: number): number {
  return Number(value.toPrecision(12));
}

interface NumberRowProps extends RowProps, NumberBounds, Bound<number> {
  /** Shown units per unit of the value: 1000 for mm of metres. Bounds and step are in shown units. */
  readonly scale?: number;
}

/** A number; what is none, or out of bounds, changes nothing. */
export function NumberRow(props: NumberRowProps) {
  const { label, unit, scale = 1, value, set, ...bounds } = props;
  return (
    <Row label={label} unit={unit}>
      <HeldNumberInput
        {...bounds}
        label={unit ? `${label} ${unit}` : label}
        isPrompt
        text={String(withoutRoundingNoise(value * scale))}
        set={(typed) => set(withoutRoundingNoise(typed / scale))}
      />
    </Row>
  );
}

interface VectorRowsProps extends Omit<NumberRowProps, 'value' | 'set'>, Bound<Vector> {}

/** The three numbers of a vector, each with the name of its axis. */
export function VectorRows({ label, value, set, ...row }: VectorRowsProps) {
  return AXES.map((axis) => (
    <NumberRow
      key={axis}
      {...row}
      label={`${label} ${axis}`}
      value={value[axis]}
      set={(next) => set({ ...value, [axis]: next })}
    />
  ));
}

/** A choice of values. */
export function ChoiceRow(props: RowProps & Bound<string> & { readonly options: Options }) {
  return (
    <Row label={props.label}>
      <Choice {...props} />
    </Row>
  );
}

interface TextRowProps extends RowProps, Bound<string> {
  readonly maxLength: number;
}

/** A line of text; `set` returns false for one that cannot be. */
export function TextRow({ label, value, set, maxLength }: TextRowProps) {
  return (
    <Row label={label}>
      <HeldInput label={label} isPrompt maxLength={maxLength} text={value} set={set} />
    </Row>
  );
}

/** What is on or off. */
export function FlagRow({ label, value, set }: RowProps & Bound<boolean>) {
  return (
    <Row label={label}>
      <input
        type="checkbox"
        aria-label={label}
        checked={value}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    </Row>
  );
}
