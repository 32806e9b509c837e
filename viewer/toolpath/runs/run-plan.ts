/** The plan of a replayed run beside it: its line, its arm, and the deviation from it. */

import type { RecordingDocument } from '../../../contract/export-document.ts';
import type { Toolpath } from '../../../contract/types.generated.ts';
import type { BesidePath } from '../beside-path.ts';
import { plannedTime } from '../beside-path.ts';
import { buildOnce } from '../build-once.ts';
import { deviationOf, noDeviation, type RunDeviation } from '../deviation.ts';
import { startBuildWorker } from '../start-build-worker.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { decodeSamples } from './recording.ts';

const UNPLANNED = noDeviation('The plan of this run is not known.');
const UNBUILT = noDeviation('The plan of this run cannot be built.');
const COMPARING = noDeviation('The run is being compared with its plan.');

/** What a run is compared with: its plan with the deviation from it. */
async function planOf(
  planned: string,
  { motion }: RecordingDocument,
): Promise<{ readonly beside: BesidePath | null; readonly runDeviation: RunDeviation }> {
  const built = await buildOnce(startBuildWorker(), JSON.parse(planned) as Toolpath);
  if (!built) return { beside: null, runDeviation: UNBUILT };
  const runDeviation = await deviationOf(built, decodeSamples(motion));
  const { path, toolpath } = built;
  const timeAt = (at_s: number) => plannedTime(runDeviation, at_s);
  const beside = { name: 'its plan', path, metadata: toolpath.metadata, timeAt };
  return { beside, runDeviation };
}

/**
 * Shows the plan beside the run that `store` replays; `planned` is its text, null where it is not
 * known. `beside` is what is drawn in the place of the plan, if anything is.
 */
export async function showPlan(
  store: ToolpathStore,
  { planned, recording }: { planned: string | null; recording: RecordingDocument },
  beside: BesidePath | null = null,
): Promise<void> {
  const { path } = store.view();
  store.set({ beside, runDeviation: planned === null ? UNPLANNED : COMPARING });
  if (planned === null) return;
  const shown = await planOf(planned, recording);
  // By now something else may be open.
  if (store.view().path !== path) return;
  store.set({ runDeviation: shown.runDeviation, ...(!beside && { beside: shown.beside }) });
}
