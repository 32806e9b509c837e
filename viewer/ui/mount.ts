import { type ComponentChild, render } from 'preact';
import { element } from './element.ts';

/** Draws components into an element that is laid out as if they were in its place. */
export function mounted(content: ComponentChild): HTMLElement {
  const host = element('div', { class: 'mounted' });
  render(content, host);
  return host;
}

/** Draws components into the frame of the pages. */
export function mount(frame: HTMLElement, content: ComponentChild): void {
  frame.append(mounted(content));
}

/** Draws a component that is always one element, and returns that. */
export function drawn(content: ComponentChild): HTMLElement {
  return mounted(content).firstElementChild as HTMLElement;
}
