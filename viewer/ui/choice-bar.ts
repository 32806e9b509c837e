/** A group of chips of which one is selected. */
import { button, element, setAttribute } from './element.ts';

export interface ChoiceBar<Value> {
  readonly element: HTMLElement;
  show(value: Value): void;
}

/** Creates chips for `options`; a click calls `choose`. */
export function createChoiceBar<Value extends string | number>(
  label: string,
  options: readonly (readonly [Value, string])[],
  choose: (value: Value) => void,
): ChoiceBar<Value> {
  const chips = options.map(([value, label]) => ({
    value,
    chip: button({ class: 'chip' }, () => choose(value), label),
  }));
  const group = { class: 'choice', role: 'group', 'aria-label': label };
  return {
    element: element('div', group, ...chips.map(({ chip }) => chip)),
    show(chosen) {
      for (const { value, chip } of chips) {
        setAttribute(chip, 'aria-pressed', String(value === chosen));
      }
    },
  };
}
