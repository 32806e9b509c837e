/** Handlers of saved toolpaths and kept runs under /sim/v1. */

import { refuse } from '../../../contract/refusal.ts';
import { tickOf } from '../../clock/twin-time.ts';
import type { Caller } from '../../robot/caller.ts';
import { claimantOf } from '../../shares/claimant.ts';
import type { ToolpathLibrary } from '../../toolpaths/toolpath-library.ts';
import type { Handlers } from '../http/handler.ts';
import { answer, answerList, EMPTY } from '../http/reply.ts';
import type { KeptRobotRun } from './robot-runs.ts';
import type { Simulation } from './simulation.ts';

const AS_IT_WAS = 'Replay the run as it was: a fault or another toolpath needs an admin';

/**
 * Whether a user may read the toolpath of a run: an admin, or who has it saved. Who ran it may have
 * run what another user had loaded.
 */
function mayRead(
  { role, user_id }: Caller,
  run: Pick<KeptRobotRun, 'hash'>,
  library: Pick<ToolpathLibrary, 'saved'>,
): boolean {
  if (role === 'admin') return true;
  const saved = library.saved(user_id);
  return saved.slice(0, saved.length).some(({ hash }) => hash === run.hash);
}

/** Handlers of the saved toolpaths and of their kept runs. */
export function robotRunHandlers({ runs, parts, worldRefusal }: Simulation): Handlers {
  return {
    listSavedToolpaths: ({ caller }, { library }) =>
      answerList('toolpaths', library.saved(caller.user_id)),
    listRobotRuns: () => answer({ kept: runs !== null, runs: runs?.list() ?? [] }),
    async replayRobotRun({ parameters, body, caller, recheck }, own) {
      if (worldRefusal || !runs) return worldRefusal ?? refuse('not_supported');
      const { fault = null, toolpath = null } = body;
      const isChanged = fault !== null || toolpath !== null;
      if (isChanged && caller.role !== 'admin') return refuse('role_too_low', AS_IT_WAS);
      if (toolpath && 'refused' in toolpath) return toolpath;
      const run = runs.find(parameters['robot_run_id']!);
      if (!run) return refuse('not_found', `The twin keeps no run ${parameters['robot_run_id']}`);
      if (!run.inputs) return refuse('not_supported', 'The run had too many commands');
      const tick = run.start.tick + tickOf(body.at_s ?? 0);
      const { name, start, inputs } = run;
      const task = toolpath && parts.services.planner.taskOf(toolpath);
      const other = task && { hash: toolpath.hash, metadata: toolpath.metadata, task };
      const change = fault || other ? { tick, fault, toolpath: other } : null;
      const replay = {
        driver: parts.driver.name,
        recorded_by: parts.product,
        run: { name, start, inputs },
        end_tick: run.watch.tick,
        isReadable: mayRead(caller, run, own.library),
        change,
      };
      const result = await parts.replayRun(replay, claimantOf(caller, parts.services.robot));
      return recheck() ?? ('refused' in result ? result : { ...EMPTY, text: [result.json] });
    },
  };
}
