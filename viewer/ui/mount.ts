import { type ComponentChild, render } from 'preact';

/** An element that has a class and nothing yet. */
export function host(name: string, tag: 'div' | 'main' | 'aside' = 'div'): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

/** Draws components into an element that is laid out as if they were in its place. */
export function mounted(content: ComponentChild): HTMLElement {
  const place = host('mounted');
  render(content, place);
  return place;
}

/** Draws components into the frame of the pages. */
export function mount(frame: HTMLElement, content: ComponentChild): void {
  frame.append(mounted(content));
}

/** Draws a component that is always one element, and returns that. */
export function drawn(content: ComponentChild): HTMLElement {
  return mounted(content).firstElementChild as HTMLElement;
}
