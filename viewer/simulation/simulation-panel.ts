/**
 * Common parts of the Simulation page's panels: the panel interface and the calls of the simulation
 * control API (/sim/v1). A failed call becomes the page's notice; a returned clock goes into the
 * store at once.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { SimClock } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore, ArmView, SimView } from '../link/arm-store.ts';
import { failureNotice } from '../link/commands.ts';

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

/** Creates the calls over the signed-in client. */
export function createSimulationCalls(store: ArmStore, calls: ArmCalls): SimulationCalls {
  function patchView(patch: Partial<SimView>): void {
    const { sim } = store.view();
    if (sim) store.set({ sim: { ...sim, ...patch } });
  }
  return {
    patchView,
    setClock: (clock) => patchView({ clock }),
    showProblem: (text) => store.set({ notice: { text, code: '' } }),
    async run(call) {
      const outcome = await calls.call(call);
      if (!outcome.ok) {
        store.set({ notice: failureNotice(outcome.error) });
        return null;
      }
      if (store.view().notice) store.set({ notice: null });
      return { reply: outcome.value };
    },
    async query(call) {
      const outcome = await calls.call(call);
      return outcome.ok ? outcome.value : null;
    },
  };
}
