/** Forms as pages write them: labelled fields, a sentence on what went wrong, one act at a time. */
import { type Attributes, button, element, setAttribute, setText } from './element.ts';

let made = 0;

export interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
}

/** An input under its label. */
export function field(words: string, attributes: Attributes): Field {
  const id = `field-${++made}`;
  const input = element('input', { id, class: 'field', autocomplete: 'off', ...attributes });
  const label = element('label', { for: id }, words);
  return { element: element('div', { class: 'form-field' }, label, input), input };
}

export interface Message {
  readonly element: HTMLElement;
  /** A sentence about a refusal; null for none. */
  fail(sentence: string | null): void;
  tell(sentence: string): void;
}

/** Where a form says how it went. */
export function message(): Message {
  const problem = element('p', { class: 'form-problem', role: 'alert' });
  const said = element('p', { class: 'form-said', role: 'status' });
  return {
    element: element('div', { class: 'form-message' }, problem, said),
    fail(sentence) {
      setText(problem, sentence ?? '');
      setText(said, '');
    },
    tell(sentence) {
      setText(problem, '');
      setText(said, sentence);
    },
  };
}

/** A form that runs `act` when it is sent, not again before that has ended. */
export function form(
  attributes: Attributes,
  act: () => Promise<void>,
  ...children: readonly (Node | string)[]
): HTMLFormElement {
  const built = element('form', attributes, ...children);
  built.addEventListener('submit', async (event) => {
    event.preventDefault();
    const sender = built.querySelector('button[type="submit"]');
    if (sender) setAttribute(sender, 'disabled', true);
    await act();
    if (sender) setAttribute(sender, 'disabled', false);
  });
  return built;
}

/** A button for what cannot be undone: it acts when pressed twice, and forgets when left. */
export function confirmButton(words: string, again: string, act: () => void): HTMLButtonElement {
  const pressed = button({ class: 'plain small' }, press, words);
  let armed = false;
  function set(now: boolean): void {
    armed = now;
    setText(pressed, now ? again : words);
    pressed.classList.toggle('danger', now);
  }
  function press(): void {
    if (armed) act();
    set(!armed);
  }
  pressed.addEventListener('blur', () => set(false));
  return pressed;
}
