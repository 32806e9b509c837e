/** The interface of the panels that show the state of the arm. */
import type { ArmView } from '../link/arm-view.ts';
import { createPeriod } from '../ui/period.ts';

/** What a panel shows: the view, and the age of the newest message. */
export interface Shown {
  readonly view: ArmView;
  readonly now_ms: number;
  readonly age_ms: number;
}

export interface Panel {
  readonly element: HTMLElement;
  /** Updates the panel. */
  update(shown: Shown): void;
  /** Moves what can move without a layout; called more often. */
  move?(shown: Shown): void;
}

/** Updates panels: what moves at each call, the texts less often. */
export function createSteady(panels: readonly Panel[]): (shown: Shown) => void {
  const isDue = createPeriod();
  return (shown) => {
    for (const panel of panels) panel.move?.(shown);
    if (!isDue(shown.now_ms)) return;
    for (const panel of panels) panel.update(shown);
  };
}
