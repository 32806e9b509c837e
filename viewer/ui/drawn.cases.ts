import { parseHTML } from 'linkedom';
import { type ComponentChild, render } from 'preact';
import { act } from 'preact/test-utils';
import { vi } from 'vitest';

/** What a component draws, and what a user does with it. */
export interface Drawn {
  readonly root: HTMLElement;
  /** The only element that a selector names. */
  find(selector: string): HTMLElement;
  /** Dispatches an event of a user with its fields, and draws what follows from it. */
  fire(selector: string, type: string, fields?: object): Promise<void>;
  /** An event of the document with its fields. */
  event(type: string, fields?: object): Event;
}

/** Draws a component into a document of its own; `vi.unstubAllGlobals` takes that away. */
export function draw(content: ComponentChild): Drawn {
  const { document, Event, HTMLInputElement } = parseHTML('<html><body></body></html>');
  // It has no validation of forms.
  HTMLInputElement.prototype.setCustomValidity ??= () => undefined;
  vi.stubGlobal('document', document);
  const root = document.body as HTMLElement;
  void act(() => render(content, root));
  function find(selector: string): HTMLElement {
    const found = root.querySelectorAll(selector);
    if (found.length !== 1) throw new Error(`${found.length} of ${selector} in ${root.innerHTML}`);
    return found[0] as HTMLElement;
  }
  const event = (type: string, fields: object = {}) =>
    Object.assign(new Event(type, { bubbles: true }), fields);
  return {
    root,
    find,
    event,
    fire: (selector, type, fields) =>
      act(() => void find(selector).dispatchEvent(event(type, fields))),
  };
}
