/** A few values of which one is chosen, as chips in a group. */
import { button, element, setAttribute } from '../panels/element.ts';

export interface ChoiceBar<Value> {
  readonly element: HTMLElement;
  show(value: Value): void;
}

/** Chips for `options`; `choose` is told of presses. */
export function createChoiceBar<Value extends string | number>(
  label: string,
  options: readonly (readonly [Value, string])[],
  choose: (value: Value) => void,
): ChoiceBar<Value> {
  const chips = options.map(([value, words]) => ({
    value,
    chip: button({ class: 'chip' }, () => choose(value), words),
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
