/**
 * A number that is shown and can be typed over. From the first press on it until it is entered or
 * left, nothing is written into it: that would take back what is typed, or the selection that is
 * about to be typed over.
 */
import { element, setAttribute } from '../panels/element.ts';
import { typedNumber } from './field.ts';

export interface NumberInput {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows a value, at once unless another is being typed. */
  show(value: number): void;
}

export interface NumberInputOptions {
  /** What a screen reader calls it. */
  readonly label: string;
  readonly unit: string;
  readonly digits: number;
  /** What an arrow key adds. */
  readonly step: number;
  /** A value was entered; false leaves it marked as wrong until it is typed over. */
  readonly enter: (value: number) => boolean | Promise<boolean>;
}

/** A field with a number and its unit. */
export function createNumberInput(options: NumberInputOptions): NumberInput {
  const { label, unit, digits, step, enter } = options;
  const input = element('input', {
    type: 'number',
    class: 'field number',
    step: String(step),
    'aria-label': unit ? `${label} (${unit})` : label,
  });
  let held = false;
  let shown = Number.NaN;
  function write(): void {
    // A number input takes a hyphen; the page's own texts write a true minus.
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
    // The arm takes its time: by now the next value may be half typed.
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
