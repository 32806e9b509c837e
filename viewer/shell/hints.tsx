/**
 * The tour of a first visit: four hints over the Live view, one at a time, that are in the way of
 * nothing. A hint gives way to the next when what it asks for is done, or by a click; the tour ends
 * with Escape, a click or the last one. Help shows it again.
 */

import { type ReadonlySignal, signal } from '@preact/signals';
import { Button } from '../ui/buttons.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { drawn } from '../ui/mount.ts';
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

interface HintCardProps {
  /** The hint that is shown; null after the tour. */
  readonly at: ReadonlySignal<number | null>;
  readonly next: () => void;
  readonly end: () => void;
}

function HintCard({ at, next, end }: HintCardProps) {
  const index = at.value ?? 0;
  const hint = HINTS[index]!;
  return (
    <section class="glass hint" aria-label="Hints" hidden={at.value === null}>
      <header>
        <b>{hint.title}</b>
        <IconButton
          icon="close"
          label="Close the hints"
          class="plain square small"
          title="Close the hints (Esc)"
          onClick={end}
        />
      </header>
      <p aria-live="polite">{hintText(hint, matchMedia(TOUCHED).matches)}</p>
      <footer>
        <span class="sub grow">{`${index + 1} of ${HINTS.length}`}</span>
        <Button class="plain small" onClick={next}>
          {index + 1 < HINTS.length ? 'Next' : 'Done'}
        </Button>
      </footer>
    </section>
  );
}

/** Outlines what a selector finds first, and nothing else. */
function outline(selector: string | null): void {
  for (const one of document.querySelectorAll('[data-hinted]')) one.removeAttribute('data-hinted');
  const target = selector === null ? null : document.querySelector(selector);
  target?.setAttribute('data-hinted', '');
}

/** Creates the tour with the notices, or above the motion row of a phone; `show` shows it. */
export async function createHints({ notices, ...parts }: HintsParts): Promise<Hints> {
  await loadStyles(STYLES);
  const at = signal<number | null>(null);
  const deeds = followDeeds(parts, (deed) => {
    if (at.value !== null && HINTS[at.value]?.deed === deed) next();
  });
  /** Shows a hint, or the first one after it of which the deed is not done yet. */
  function show(from: number): void {
    const index = HINTS.findIndex(({ deed }, i) => i >= from && !deeds.isDone(deed));
    at.value = index < 0 ? null : index;
    outline(HINTS[index]?.target ?? null);
  }
  const next = () => show((at.value ?? 0) + 1);
  const end = () => show(HINTS.length);
  const card = drawn(<HintCard {...{ at, next, end }} />);
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
