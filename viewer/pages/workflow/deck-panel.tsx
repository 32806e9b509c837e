import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ArmView } from '../../link/arm-view.ts';
import { Chips } from '../../ui/chips.tsx';
import { deckOrigin } from './deck-layout.ts';
import { DeckMap } from './deck-map.tsx';
import type { WorkflowState } from './workflow-state.ts';

export type DeckViewMode = 'map' | 'scene';

const SIDES: readonly (readonly [DeckViewMode, string])[] = [
  ['map', 'Map'],
  ['scene', 'Scene'],
];

interface DeckPanelProps {
  readonly state: WorkflowState;
  readonly arm: ReadonlySignal<ArmView>;
  /** Called with the chosen view. */
  readonly turn: (side: DeckViewMode) => void;
}

/**
 * The deck: a map from above with the arm, the nests and the labware, or the 3D scene with the deck
 * in it, which the frame shows in its place.
 */
export function DeckPanel({ state, arm, turn }: DeckPanelProps) {
  const side = useSignal<DeckViewMode>('map');
  // Before a run the labware is where the definition has it, which need not be where it is.
  const origin = deckOrigin(state.run.value, state.definition.value);
  const isMap = side.value === 'map';
  function choose(chosen: DeckViewMode): void {
    side.value = chosen;
    turn(chosen);
  }
  return (
    <section class="deck" aria-label="Deck">
      <header class="section-head">
        <h2>Deck</h2>
        <span class="age">{origin}</span>
        {/* There is space for one of the two, and whether the labware stands there matters more. */}
        <span class="end">{origin === '' && isMap && '500 mm squares, from above'}</span>
        <Chips label="Deck as" options={SIDES} isOn={(one) => one === side.value} press={choose} />
      </header>
      {isMap && <DeckMap state={state} arm={arm} />}
    </section>
  );
}
