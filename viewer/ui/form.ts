/** A form of labelled fields with the message of its result. */
import { type Attributes, element, setAttribute, setText } from './element.ts';

let fieldCount = 0;

export interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
}

/** Creates an input under its label. */
export function field(labelText: string, attributes: Attributes): Field {
  const id = `field-${++fieldCount}`;
  const input = element('input', { id, class: 'field', autocomplete: 'off', ...attributes });
  const label = element('label', { for: id }, labelText);
  return { element: element('div', { class: 'form-field' }, label, input), input };
}

export interface FormMessage {
  readonly element: HTMLElement;
  /** Shows an error; null clears it. */
  fail(problem: string | null): void;
  succeed(text: string): void;
}

/** Creates the message of a form: an error or a success text. */
export function createFormMessage(): FormMessage {
  const problem = element('p', { class: 'form-problem', role: 'alert' });
  const success = element('p', { class: 'form-success', role: 'status' });
  return {
    element: element('div', { class: 'form-message' }, problem, success),
    fail(text) {
      setText(problem, text ?? '');
      setText(success, '');
    },
    succeed(text) {
      setText(problem, '');
      setText(success, text);
    },
  };
}

/** Creates a form that runs `submit`; its button is disabled until `submit` has ended. */
export function form(
  attributes: Attributes,
  submit: () => Promise<void>,
  ...children: readonly (Node | string)[]
): HTMLFormElement {
  const built = element('form', attributes, ...children);
  built.addEventListener('submit', async (event) => {
    event.preventDefault();
    const submitButton = built.querySelector('button[type="submit"]');
    if (submitButton) setAttribute(submitButton, 'disabled', true);
    await submit();
    if (submitButton) setAttribute(submitButton, 'disabled', false);
  });
  return built;
}
