/** Creates and updates DOM elements in code, without markup strings and inline styles. */

export type Child = Node | string;

export interface Attributes {
  readonly class?: string;
  /** The page's content security policy refuses inline styles: write a class in viewer/styles. */
  readonly style?: never;
  readonly [name: string]: string | boolean | undefined;
}

/** Creates an element with attributes (true: present; false, undefined: absent) and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value);
  made.append(...children);
  return made;
}

/** Sets an attribute, or removes it for false and undefined; writes to the DOM only on change. */
export function setAttribute(
  target: Element,
  name: string,
  value: string | boolean | undefined,
): void {
  const wanted = value === true ? '' : value;
  if (wanted === false || wanted === undefined) {
    if (target.hasAttribute(name)) target.removeAttribute(name);
  } else if (target.getAttribute(name) !== wanted) target.setAttribute(name, wanted);
}

/** Creates a button; the children are an icon, text or both. */
export function button(
  attributes: Attributes,
  onClick: (event: MouseEvent) => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', onClick);
  return made;
}
