/**
 * Calls of the simulation control API (/sim/v1) for the panels. A failed call becomes the notice
 * of the page.
 */

import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { SimView } from '../../link/arm-view.ts';
import { failureNotice } from '../../link/failure-notice.ts';
import type { SimulationCalls } from './simulation-panel.ts';

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
