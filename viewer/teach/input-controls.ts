/**
 * Input controls of the Teach page: a number input, a button that repeats while held, and a group
 * of chips of which one is selected.
 */
import { type Attributes, button, type Child, element, setAttribute } from '../panels/element.ts';
import { numberElement, typedNumber } from '../panels/number-input.ts';

/** Delay after the first call, and between further calls (ms). */
const FIRST_MS = 350;
const NEXT_MS = 40;

/**
 * A button that calls `act` on a press and again while held, each time after the last call has
 * finished. Releasing it, leaving it or hiding the page stops it, and so does `act` by returning
 * false.
 */
export function heldButton(
  attributes: Attributes,
  act: () => boolean | Promise<boolean>,
  ...children: readonly Child[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, ...children);
  let holds = 0;
  async function hold(): Promise<void> {
    const own = ++holds;
    let rest_ms = FIRST_MS;
    // A disabled button may never receive its release event.
    while (own === holds && !made.matches(':disabled') && (await act())) {
      await new Promise((resolve) => setTimeout(resolve, rest_ms));
      rest_ms = NEXT_MS;
    }
  }
  const release = (): void => void holds++;
  made.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    made.setPointerCapture(event.pointerId);
    void hold();
  });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur'] as const) {
    made.addEventListener(end, release);
  }
  document.addEventListener('visibilitychange', release);
  addEventListener('pointerup', release, { capture: true });
  // A click without a pointer is a key press; a held key repeats by itself.
  made.addEventListener('click', (event) => {
    if (event.detail === 0) void act();
  });
  return made;
}

/** A group of chips of which one is selected. */

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

export interface NumberInput {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows a value, unless another is being typed. */
  show(value: number): void;
}

interface NumberInputOptions {
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
export function createNumberInput(options: NumberInputOptions): NumberInput {
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
