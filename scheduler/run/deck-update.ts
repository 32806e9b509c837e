import type { WorkflowModel } from '../definition/workflow-model.ts';
import { GONE } from '../plan/slot-location.ts';
import type { Workcell } from '../workcell/workcells.ts';
import type { RunProgress } from './progress.ts';

/** Writes the labware locations of a run, and where its consumables stand, to the deck of its workcell. */
export function updateDeck(
  { deck }: Workcell,
  model: WorkflowModel,
  { locations }: RunProgress,
): void {
  model.labware.forEach(({ id }, i) => {
    const location = locations[i]!;
    if (location === GONE) {
      deck.delete(id);
      return;
    }
    const place = location && {
      instrument_id: model.instruments[location.instrument]!.id,
      slot: location.slot,
    };
    deck.set(id, place);
  });
  for (const { id, location } of model.supplies) {
    if (!location) continue;
    const { instrument, slot } = location;
    deck.set(id, { instrument_id: model.instruments[instrument]!.id, slot });
  }
}
