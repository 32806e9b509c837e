/** Handlers of named snapshots under /sim/v1. */

import type { SessionCall } from '../http/call.ts';
import type { Handlers } from '../http/handler.ts';
import { answer, EMPTY } from '../http/reply.ts';
import { inSteps } from './in-steps.ts';
import { cannotBeRestored, keptSnapshot, plannedSnapshot } from './kept-snapshot.ts';
import type { Simulation } from './simulation.ts';
import { restoreOrUndo, restoreTwinSnapshot } from './snapshot-restore.ts';
import { takeTwinSnapshot } from './snapshot-taking.ts';

/** Scopes of a named snapshot: everything but users and recordings. */
const SNAPSHOT_SCOPES = new Set(['state', 'toolpaths', 'clock', 'faults', 'obstacles'] as const);

/** Restores a named snapshot; the session that asks for it stays. */
async function restoreNamed(
  simulation: Simulation,
  name: string,
  { session, recheck }: Pick<SessionCall, 'session' | 'recheck'>,
) {
  const { snapshots, parts } = simulation;
  const kept = await snapshots.find(name);
  if ('refused' in kept) return kept;
  // A snapshot of a file, which may be made by hand, is tried on a twin of its own first.
  const isUnproven = snapshots.isUnproven(name);
  const failure = isUnproven ? await parts.trySnapshot(kept) : null;
  if (failure !== null) return cannotBeRestored(failure);
  const snapshot = await plannedSnapshot(kept, parts.services);
  if ('refused' in snapshot) return snapshot;
  // The trial and the plan may have taken seconds.
  const late = recheck();
  if (late) return late;
  const request = { snapshot, users: null, scopes: SNAPSHOT_SCOPES, preserved: session };
  if (isUnproven) {
    const refusal = await inSteps(restoreOrUndo(simulation, request));
    if (refusal) return refusal;
    snapshots.save(name, kept);
  } else {
    await inSteps(restoreTwinSnapshot(simulation, request));
  }
  // The schedule of the clock begins at the restored time, before any tick.
  parts.clock.set({});
  return EMPTY;
}

export function snapshotHandlers(simulation: Simulation): Handlers {
  const { snapshots, parts } = simulation;
  return {
    listStates: () => answer({ states: snapshots.list() }),
    async keepState({ body, recheck }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      return simulation.inTurn(recheck, async () => {
        const state = snapshots.save(body.name, keptSnapshot(await takeTwinSnapshot(simulation)));
        return 'refused' in state ? state : answer({ state });
      });
    },
    async restoreState({ body, session, recheck }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      return simulation.inTurn(recheck, () =>
        restoreNamed(simulation, body.name, { session, recheck }),
      );
    },
    async exportState({ body, recheck }) {
      const content = await snapshots.contentOf(body.name);
      if ('refused' in content) return content;
      const file = await parts.services.documents.stateFile(body.name, content, recheck);
      return 'refused' in file ? file : { ...EMPTY, text: [file] };
    },
    importState({ body }) {
      const state = snapshots.import(body);
      return 'refused' in state ? state : answer({ state });
    },
    forgetStates() {
      snapshots.clear();
      return EMPTY;
    },
  };
}
