/**
 * What the panels of the Simulation page receive: the view of the robot, and the calls of the
 * simulation control API (/sim/v1). A failed command becomes the notice of the page.
 */
import type { ArmClient } from '../../../contract/client.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView, SimView } from '../../link/arm-view.ts';
import { failureNotice } from '../../link/failure-notice.ts';

export interface SimulationCalls {
  /** Runs a command; shows a notice and returns null when it fails. */
  run<Reply>(
    call: (client: ArmClient) => Promise<Reply>,
  ): Promise<{ readonly reply: Reply } | null>;
  /** Runs a query; returns null when it fails, without a notice. */
  query<Reply>(call: (client: ArmClient) => Promise<Reply>): Promise<Reply | null>;
  /** Merges a patch into the simulation view of the store. */
  patchView(patch: Partial<SimView>): void;
  /** Shows a notice. */
  showProblem(text: string): void;
}

export interface SimulationContext {
  readonly calls: SimulationCalls;
  /** The view as it is now. */
  readonly view: () => ArmView;
}

/** Creates the calls over the signed-in client. */
export function createSimulationCalls(store: ArmStore, calls: ArmCalls): SimulationCalls {
  return {
    patchView(patch) {
      const { sim } = store.view();
      if (sim) store.set({ sim: { ...sim, ...patch } });
    },
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
