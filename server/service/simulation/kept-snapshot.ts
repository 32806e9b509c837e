/**
 * Snapshots that are kept or in a file: without the program of the loaded toolpath, which is
 * planned again.
 */

import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { isRefusal, type Refusal, refuseAt } from '../../../contract/refusal.ts';
import { recordedToolpath } from '../../planning/recorded-toolpath.ts';
import type { LoadedToolpath, RecordedToolpath } from '../../robot/loaded-toolpath.ts';
import { THE_TWIN } from '../../shares/claimant.ts';
import type { Services } from '../http/services.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';

/** A snapshot that is kept or in a file: the robot's memory without the loaded toolpath. */
export interface KeptSnapshot extends TwinSnapshot {
  /** The loaded toolpath. */
  readonly loaded: RecordedToolpath | null;
}

/** The snapshot with its loaded toolpath as `loaded` has it. */
function withLoaded(snapshot: TwinSnapshot, loaded: LoadedToolpath | null): TwinSnapshot {
  const { robot } = snapshot;
  return { ...snapshot, robot: { ...robot, memory: { ...robot.memory, loaded } } };
}

/** Takes the program of the loaded toolpath out of a snapshot, which is to be kept. */
export function keptSnapshot(snapshot: TwinSnapshot): KeptSnapshot {
  const { loaded } = snapshot.robot.memory;
  return { ...withLoaded(snapshot, null), loaded: loaded && recordedToolpath(loaded) };
}

/**
 * The snapshot with the program of its loaded toolpath: that of the robot where it has the same,
 * otherwise planned again. Refuses where the planner does not plan it.
 */
export async function plannedSnapshot(
  { loaded, ...snapshot }: KeptSnapshot,
  { robot, planner }: Pick<Services, 'robot' | 'planner'>,
): Promise<TwinSnapshot | Refusal<'invalid_arguments'>> {
  if (!loaded) return withLoaded(snapshot, null);
  const { name, hash, metadata, source } = loaded;
  const present = robot.memory.loaded;
  if (present?.hash === hash && present.source.program_sha256 === source.program_sha256) {
    return withLoaded(snapshot, { ...loaded, program: present.program });
  }
  const json = await promisify(inflateRaw)(source.toolpath_deflated);
  const toolpath = { json, hash, metadata };
  const plan = await planner.load({ name, toolpath, timing: source.timing, claimant: THE_TWIN });
  if (isRefusal(plan)) return cannotBeRestored(String(plan.details));
  if (plan.kind !== 'built') return cannotBeRestored(plan.error);
  return withLoaded(snapshot, plan.loaded);
}

/** The refusal of a snapshot with its reason. */
export function cannotBeRestored(reason: string): Refusal<'invalid_arguments'> {
  const problem = `cannot be restored (${reason}); the arm is as before`;
  return refuseAt('/name', problem);
}
