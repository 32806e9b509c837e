/**
 * The tour of a first visit: four hints over the Live view, one at a time, that are in the way of
 * nothing. A hint gives way to the next when what it asks for is done, or by a click; the tour ends
 * with Escape, a click or the last one. Help shows it again.
 */

import { button, element, setAttribute, setText } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { loadStyles } from '../ui/style-sheets.ts';
import { type Deed, type DeedsParts, followDeeds } from './deeds.ts';

const STYLES = [new URL('../styles/explain.css', import.meta.url)];

interface Hint {
  readonly title: string;
  readonly text: string;
  /** The text for a finger, where the other one names keys or a wheel. */
  readonly touched?: string;
  /** What the hint is about; outlined while it is shown. */
  readonly target: string;
  /** What it asks for. */
  readonly deed: Deed;
}

export const HINTS: readonly Hint[] = [
  {
    title: 'Make it move',
    text: 'Run (⇧ R) runs the loaded toolpath. As long as there is none, run a sample from here.',
    touched: 'Run runs the loaded toolpath. As long as there is none, run a sample from here.',
    target: '.explain:not([data-empty]):has([data-cause="no_toolpath"]), .motion .primary:enabled',
    deed: 'moved',
  },
  {
    title: 'Look around',
    text: 'Drag to turn the view, scroll to zoom; F shows the whole arm.',
    touched: 'Drag to turn the view, and pinch to zoom.',
    target: '.view-bar',
    deed: 'looked',
  },
  {
    title: 'Ask why',
    text: 'A line over the view says why the arm stands, since when, and what helps.',
    target: '.explain',
    deed: 'asked',
  },
  {
    title: 'Make your own',
    text: 'Teach (3) records poses. Find (Ctrl K) reaches everything, and ? lists the keys.',
    touched: 'Teach records poses, Find reaches everything, and Help shows more.',
    target: '.rail [data-page="teach"]',
    deed: 'taught',
  },
];

/** Where there is no keyboard to speak of: with a finger alone, and on a phone. */
export const TOUCHED = '(max-width: 720px), not all and (any-pointer: fine)';

/** The words of a hint; keys are named only where there are some. */
export function hintText({ text, touched }: Hint, isTouched: boolean): string {
  return isTouched ? (touched ?? text) : text;
}

export interface Hints {
  /** Shows the first hint. */
  show(): void;
}

export interface HintsParts extends DeedsParts {
  /** Container of the notices over the scene. */
  readonly notices: HTMLElement;
}

/** Creates the tour with the notices, or above the motion row of a phone; `show` shows it. */
export async function createHints({ notices, ...parts }: HintsParts): Promise<Hints> {
  await loadStyles(STYLES);
  let at = 0;
  const title = element('b');
  const text = element('p', { 'aria-live': 'polite' });
  const count = element('span', { class: 'sub grow' });
  const next = button({ class: 'plain small' }, () => show(at + 1));
  const label = 'Close the hints';
  const close = button(
    { class: 'plain square small', 'aria-label': label, title: `${label} (Esc)` },
    () => end(),
    icon('close'),
  );
  const card = element(
    'section',
    { class: 'glass hint', 'aria-label': 'Hints', hidden: true },
    element('header', {}, title, close),
    text,
    element('footer', {}, count, next),
  );
  const outline = (selector: string | null): void => {
    for (const one of document.querySelectorAll('[data-hinted]')) {
      setAttribute(one, 'data-hinted', false);
    }
    const target = selector === null ? null : document.querySelector(selector);
    if (target) setAttribute(target, 'data-hinted', true);
  };
  function end(): void {
    setAttribute(card, 'hidden', true);
    outline(null);
  }
  const deeds = followDeeds(parts, (deed) => {
    if (!card.hidden && HINTS[at]?.deed === deed) show(at + 1);
  });
  /** Shows a hint, or the first one after it of which the deed is not done yet. */
  function show(from: number): void {
    const index = HINTS.findIndex(({ deed }, i) => i >= from && !deeds.isDone(deed));
    const hint = HINTS[index];
    if (!hint) {
      end();
      return;
    }
    at = index;
    setText(title, hint.title);
    setText(text, hintText(hint, matchMedia(TOUCHED).matches));
    setText(count, `${index + 1} of ${HINTS.length}`);
    setText(next, index + 1 < HINTS.length ? 'Next' : 'Done');
    setAttribute(card, 'hidden', false);
    outline(hint.target);
  }
  addEventListener('keydown', ({ key }) => {
    const isFree = card.checkVisibility() && !document.querySelector('dialog[open]');
    if (key === 'Escape' && isFree) end();
  });
  // On a phone the scene is too small for the line that explains and a hint.
  const phone = matchMedia('(max-width: 720px)');
  const place = (): void => (phone.matches ? parts.frame : notices).append(card);
  place();
  phone.addEventListener('change', place);
  return { show: () => show(0) };
}
