import { Button } from './buttons.tsx';

interface ChipsProps<Value> {
  /** Names the group. */
  readonly label: string;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly isOn: (value: Value) => boolean;
  readonly press: (value: Value) => void;
  readonly isDisabled?: (value: Value) => boolean;
  readonly class?: string;
}

/** A group of chips, each of which is on or off. */
export function Chips<Value extends string | number>(props: ChipsProps<Value>) {
  const { label, options, isOn, press, isDisabled, class: name = 'choice' } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend
    <div class={name} role="group" aria-label={label}>
      {options.map(([value, text]) => (
        <Button
          key={value}
          class="chip"
          data-value={value}
          aria-pressed={isOn(value)}
          disabled={isDisabled?.(value)}
          onClick={() => press(value)}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
