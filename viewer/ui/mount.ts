import { type ComponentChild, render } from 'preact';
import { element } from './element.ts';

/** Draws components into the frame of the pages, where they are laid out as if they were its own. */
export function mount(frame: HTMLElement, content: ComponentChild): void {
  const host = element('div', { class: 'mounted' });
  render(content, host);
  frame.append(host);
}
