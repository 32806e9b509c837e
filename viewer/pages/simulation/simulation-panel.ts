/** The interface of the panels of the Simulation page, and what they receive. */

import type { ArmClient } from '../../../contract/client.ts';
import type { SimClock } from '../../../contract/types.generated.ts';
import type { ArmView, SimView } from '../../link/arm-view.ts';

/** A panel of the Simulation page. */
export interface SimulationPanel {
  readonly element: HTMLElement;
  /** Renders the view; called at most 20 times a second. */
  update(view: ArmView): void;
  /** Polls data that no stream delivers; called on page entry, then once a second. */
  refresh?(): Promise<void>;
}

/** What the panels receive. */
export interface SimulationContext {
  readonly calls: SimulationCalls;
  readonly view: () => ArmView;
}

export interface SimulationCalls {
  /** Runs a command; shows a notice and returns null when it fails. */
  run<Reply>(
    call: (client: ArmClient) => Promise<Reply>,
  ): Promise<{ readonly reply: Reply } | null>;
  /** Runs a query; returns null when it fails, without a notice. */
  query<Reply>(call: (client: ArmClient) => Promise<Reply>): Promise<Reply | null>;
  /** Merges a patch into the simulation view of the store. */
  patchView(patch: Partial<SimView>): void;
  setClock(clock: SimClock): void;
  /** Shows a notice. */
  showProblem(text: string): void;
}
