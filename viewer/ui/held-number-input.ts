/** A number input that shows a live value until a user types another. */

import { element, setAttribute } from './element.ts';
import { numberElement, typedNumber } from './number-input.ts';

export interface HeldNumberInput {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows a value, unless another is being typed. */
  show(value: number): void;
}

interface HeldNumberInputOptions {
  /** Accessible name. */
  readonly label: string;
  readonly unit: string;
  readonly digits: number;
  /** Step of the arrow keys. */
  readonly step: number;
  /** Called with an entered value; false marks the input as invalid. */
  readonly enter: (value: number) => boolean | Promise<boolean>;
}

/**
 * A number input with its unit. From the first press until the value is entered or left, `show`
 * does not overwrite it, so that typing and selection are kept.
 */
export function createHeldNumberInput(options: HeldNumberInputOptions): HeldNumberInput {
  const { label, unit, digits, step, enter } = options;
  const name = unit ? `${label} (${unit})` : label;
  const input = numberElement({ class: 'field number', 'aria-label': name }, { step });
  let held = false;
  let shown = Number.NaN;
  function write(): void {
    const text = Number.isFinite(shown) ? shown.toFixed(digits).replace(/^-(0(\.0*)?)$/, '$1') : '';
    if (!held && input.value !== text) input.value = text;
  }
  for (const begin of ['focus', 'pointerdown', 'select', 'input'] as const) {
    input.addEventListener(begin, () => {
      held = true;
    });
  }
  input.addEventListener('keydown', ({ key }) => {
    held = key !== 'Enter';
  });
  input.addEventListener('input', () => setAttribute(input, 'aria-invalid', undefined));
  input.addEventListener('change', async () => {
    const value = typedNumber(input.value);
    held = false;
    const taken = value !== null && (await enter(value));
    // `enter` may take a while; the next value may be half typed by now.
    if (!held) setAttribute(input, 'aria-invalid', taken ? undefined : 'true');
    write();
  });
  input.addEventListener('blur', () => {
    held = false;
    setAttribute(input, 'aria-invalid', undefined);
    write();
  });
  return {
    element: element('label', { class: 'teach-number' }, input, unit),
    input,
    show(value) {
      shown = value;
      write();
    },
  };
}
