import { element, setText } from '../ui/element.ts';
import { ageText } from '../ui/value-text.ts';
import type { Shown } from './panel.ts';

export interface Heading {
  readonly element: HTMLElement;
  /** Shows the age while the view is stale. */
  update(shown: Shown): void;
}

/** A section heading with the age of a stale view and optional elements at its end. */
export function heading(text: string, ...ends: readonly (Node | string)[]): Heading {
  const age = element('span', { class: 'age' });
  const title = element('h2', {}, text);
  return {
    element: element('header', { class: 'section-head' }, title, age, ...ends),
    update: ({ view, age_ms }) =>
      setText(age, view.link === 'stale' ? `${ageText(age_ms)} old` : ''),
  };
}
