/** Building page elements in code: short, typed, no markup strings, no inline styles. */

export type Child = Node | string;

export interface Attributes {
  readonly class?: string;
  readonly [name: string]: string | boolean | undefined;
}

/** An element with attributes (true: present, false and undefined: absent) and children. */
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

/** Sets, or with false or undefined removes, an attribute, touching the page only on change. */
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

/** Writes text only when it differs, so that quiet panels cost nothing. */
export function setText(target: Node, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Heads of a table's columns; those without words are named for those who do not see. */
export function columnHeads(names: readonly string[]): HTMLElement {
  const cells = names.map((words) => {
    const hidden = element('span', { class: 'sr-only' }, 'Actions');
    return element('th', { scope: 'col' }, words || hidden);
  });
  return element('thead', {}, element('tr', {}, ...cells));
}

/** A button with an icon, words or both. */
export function button(
  attributes: Attributes,
  act: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', act);
  return made;
}
