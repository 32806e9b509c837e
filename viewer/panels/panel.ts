/** What every panel of a page is, and the heading they share. */
import type { ArmView } from '../link/arm-store.ts';
import { element, setText } from './element.ts';
import { ageText } from './value-text.ts';

/** What a panel is shown: the view, and how old its newest word is. */
export interface Shown {
  readonly view: ArmView;
  readonly now_ms: number;
  readonly age_ms: number;
}

export interface Panel {
  readonly element: HTMLElement;
  /** Brings the panel up to date; called at most 20 times a second. */
  update(shown: Shown): void;
}

export interface Heading {
  readonly element: HTMLElement;
  /** Shows the age while the view is stale. */
  update(shown: Shown): void;
}

/** A section head with room for an age and something at its end. */
export function heading(words: string, ...ends: readonly (Node | string)[]): Heading {
  const age = element('span', { class: 'age' });
  const title = element('h2', {}, words);
  return {
    element: element('header', { class: 'section-head' }, title, age, ...ends),
    update: ({ view, age_ms }) =>
      setText(age, view.link === 'stale' ? `${ageText(age_ms)} old` : ''),
  };
}
