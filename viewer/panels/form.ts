/**
 * Form elements of the pages: labelled fields, result messages, buttons with confirmation, and
 * lists that can be ordered.
 * Also: files from and to the user.
 */

import { limits } from '../../contract/limits.ts';
import { type Attributes, button, element, setAttribute, setText } from './element.ts';

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

/** A button for an irreversible action: it runs on the second click; losing focus resets it. */
export function confirmButton(
  label: string,
  confirmLabel: string,
  action: () => void,
): HTMLButtonElement {
  const pressed = button({ class: 'plain small' }, press, label);
  let armed = false;
  function set(now: boolean): void {
    armed = now;
    setText(pressed, now ? confirmLabel : label);
    pressed.classList.toggle('danger', now);
  }
  function press(): void {
    if (armed) action();
    set(!armed);
  }
  pressed.addEventListener('blur', () => set(false));
  return pressed;
}

/**
 * Returns a function that runs an edit after the current event, or after the press that is under
 * way inside an element: elements that are replaced would lose its click.
 */
export function createPressQueue(inside: HTMLElement): (edit: () => void) => void {
  let waiting: (() => void)[] | null = null;
  const release = () =>
    setTimeout(() => {
      const edits = waiting ?? [];
      waiting = null;
      for (const edit of edits) edit();
    });
  inside.addEventListener('pointerdown', () => {
    waiting ??= [];
  });
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release);
  return (edit) => {
    if (waiting) waiting.push(edit);
    else setTimeout(edit);
  };
}

/** The middle of an item is that of its head, also while it is unfolded (px). */
const ROW_PX = 36;

/**
 * Lets the items of a list be ordered by dragging their grips (`data-grip`), or with the arrow keys
 * on a grip. Escape cancels a drag.
 */
export function makeOrderable(list: HTMLElement, move: (from: number, to: number) => void): void {
  const items = () => [...list.children] as HTMLElement[];
  const gripOf = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-grip]') : null;
  const indexOf = (grip: HTMLElement) => items().findIndex((item) => item.contains(grip));
  let drag: { readonly from: number; to: number } | null = null;
  function show(): void {
    for (const [i, item] of items().entries()) {
      const isTarget = drag !== null && drag.to !== drag.from && i === drag.to;
      setAttribute(item, 'data-dragged', drag?.from === i);
      setAttribute(item, 'data-drop', isTarget && (drag!.to < drag!.from ? 'before' : 'after'));
    }
  }
  function end(isDone: boolean): void {
    const done = drag;
    drag = null;
    show();
    if (isDone && done && done.from !== done.to) move(done.from, done.to);
  }
  list.addEventListener('pointerdown', (event) => {
    const grip = gripOf(event);
    if (!grip || event.button !== 0) return;
    const from = indexOf(grip);
    grip.setPointerCapture(event.pointerId);
    drag = { from, to: from };
    show();
  });
  list.addEventListener('pointermove', ({ clientY }) => {
    if (!drag) return;
    const { from } = drag;
    const isAbove = (item: HTMLElement, i: number) => {
      const { top, height } = item.getBoundingClientRect();
      return i !== from && top + Math.min(height, ROW_PX) / 2 < clientY;
    };
    drag.to = items().filter(isAbove).length;
    items()[drag.to]?.scrollIntoView({ block: 'nearest' });
    show();
  });
  list.addEventListener('pointerup', () => end(true));
  list.addEventListener('pointercancel', () => end(false));
  list.addEventListener('keydown', (event) => {
    const grip = gripOf(event);
    if (event.key === 'Escape' && drag) end(false);
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!grip || by === undefined) return;
    event.preventDefault();
    const from = indexOf(grip);
    const to = from + by;
    if (to >= 0 && to < items().length) move(from, to);
  });
}

/**
 * Files from and to the user: reads picked and dropped files, and offers downloads. Reading handles
 * folders, deleted files and files above the size limit of the API.
 */

/** Offers content as a download. */
export function saveFile(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  element('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** Receives the result of reading a file. */
export interface FileReceiver {
  /** `name` is the file name without `.json`. */
  onText(name: string, text: string): void;
  /** `problem` is a message for the user. */
  onProblem(problem: string): void;
}

const BYTES_PER_MIB = 1024 * 1024;

/** Reads a file as text. */
export async function readFile(file: File, { onText, onProblem }: FileReceiver): Promise<void> {
  const max_mib = limits.body_seed_bytes / BYTES_PER_MIB;
  if (file.size > limits.body_seed_bytes) {
    onProblem(`The file is larger than ${max_mib} MiB. Choose a smaller file.`);
    return;
  }
  const text = await file.text().catch(() => null);
  if (text === null) onProblem('The file cannot be read. Choose it again.');
  else onText(file.name.replace(/\.json$/i, ''), text);
}

/** Whether files can be dropped: with a finger alone there is nothing to drag them from. */
export function canDrop(): boolean {
  return matchMedia('(any-pointer: fine)').matches;
}

/** A hidden file input; its click() opens the picker for a JSON file. */
export function filePicker(receiver: FileReceiver): HTMLInputElement {
  const input = element('input', { type: 'file', accept: '.json,application/json', hidden: true });
  input.addEventListener('change', async () => {
    const file = input.files?.[0];
    if (file) await readFile(file, receiver);
    input.value = '';
  });
  return input;
}
