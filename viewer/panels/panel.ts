/** The interface of the Live page's panels, and their heading. */
import type { ArmView } from '../link/arm-store.ts';
import { element, setText } from './element.ts';
import { ageText } from './value-text.ts';

/** What a panel shows: the view, and the age of the newest message. */
export interface Shown {
  readonly view: ArmView;
  readonly now_ms: number;
  readonly age_ms: number;
}

export interface Panel {
  readonly element: HTMLElement;
  /** Updates the panel; called at most 20 times a second. */
  update(shown: Shown): void;
}

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
