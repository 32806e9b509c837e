/** The deck beside the deliveries: as a map from above, or the arm's scene with the deck in it. */
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { createDeckMap } from './deck-map.ts';
import type { WorkPanel } from './workflow-store.ts';

export type DeckSide = 'map' | 'scene';

const SIDES: readonly (readonly [DeckSide, string])[] = [
  ['map', 'Map'],
  ['scene', 'Scene'],
];

/** The panel; `turn` is told which side is wanted. */
export function createDeckPanel(arm: ArmStore, turn: (side: DeckSide) => void): WorkPanel {
  const map = createDeckMap(arm);
  const note = element('span', { class: 'end' }, '500 mm squares, from above');
  const chips = SIDES.map(([side, words]) =>
    button({ class: 'chip', 'aria-pressed': String(side === 'map') }, () => choose(side), words),
  );
  function choose(chosen: DeckSide): void {
    for (const [i, chip] of chips.entries()) {
      setAttribute(chip, 'aria-pressed', String(SIDES[i]![0] === chosen));
    }
    map.element.hidden = chosen === 'scene';
    setText(note, chosen === 'map' ? '500 mm squares, from above' : '');
    turn(chosen);
  }
  const head = element(
    'header',
    { class: 'section-head' },
    element('h2', {}, 'Deck'),
    element('span', { class: 'age' }),
    note,
    element('div', { class: 'choice', role: 'group', 'aria-label': 'Deck as' }, ...chips),
  );
  return {
    element: element('section', { class: 'deck', 'aria-label': 'Deck' }, head, map.element),
    update: (view, before) => map.update(view, before),
  };
}
