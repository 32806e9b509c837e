/**
 * The deck panel: a map from above with the arm, the nests and the labware, or the 3D scene with
 * the deck in it.
 */

import type { ArmStore } from '../../link/arm-store.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { startingPlaces } from './deck-layout.ts';
import { createDeckMap } from './deck-map.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import type { WorkflowView } from './workflow-view.ts';

/** Says where the shown labware stands: in a run, or as the definition has it. */
export function deckOrigin(view: WorkflowView): string {
  if (view.run && view.run.labware.length > 0) return '';
  return startingPlaces(view.definition).length > 0 ? 'as defined, before a run' : '';
}

export type DeckViewMode = 'map' | 'scene';

const SIDES: readonly (readonly [DeckViewMode, string])[] = [
  ['map', 'Map'],
  ['scene', 'Scene'],
];

/** Creates the panel; calls `turn` with the chosen view. */
export function createDeckPanel(arm: ArmStore, turn: (side: DeckViewMode) => void): WorkflowPanel {
  const map = createDeckMap(arm);
  const note = element('span', { class: 'end' }, '500 mm squares, from above');
  // Before a run the labware is where the definition has it, which need not be where it is.
  const origin = element('span', { class: 'age' });
  const chips = SIDES.map(([side, text]) =>
    button({ class: 'chip', 'aria-pressed': String(side === 'map') }, () => choose(side), text),
  );
  function choose(chosen: DeckViewMode): void {
    for (const [i, chip] of chips.entries()) {
      setAttribute(chip, 'aria-pressed', String(SIDES[i]![0] === chosen));
    }
    map.element.hidden = chosen === 'scene';
    showNote();
    turn(chosen);
  }
  // There is space for one of the two, and whether the labware stands there matters more.
  function showNote(): void {
    const free = origin.textContent === '' && !map.element.hidden;
    setText(note, free ? '500 mm squares, from above' : '');
  }
  const head = element(
    'header',
    { class: 'section-head' },
    element('h2', {}, 'Deck'),
    origin,
    note,
    element('div', { class: 'choice', role: 'group', 'aria-label': 'Deck as' }, ...chips),
  );
  return {
    element: element('section', { class: 'deck', 'aria-label': 'Deck' }, head, map.element),
    update(view, before) {
      setText(origin, deckOrigin(view));
      showNote();
      map.update(view, before);
    },
  };
}
