/** The program of a loaded toolpath in a file or a kept run: left out, and planned again. */

import { inflateRawSync } from 'node:zlib';
import type { LoadedToolpath, RecordedToolpath } from '../robot/loaded-toolpath.ts';
import { planTasks } from './plan-tasks.ts';

/** The toolpath without its program, which its source suffices to plan again. */
export function recordedToolpath({ program: _, ...rest }: LoadedToolpath): RecordedToolpath {
  return rest;
}

/**
 * The toolpath with its program, planned again: another version may plan another program, whose
 * SHA-256 its source then has. Throws an Error where there is no motion.
 */
export function plannedToolpath(stored: RecordedToolpath): LoadedToolpath {
  const { source, name } = stored;
  const { toolpath_deflated, ...rest } = source;
  const plan = planTasks.program({ ...rest, toolpath: inflateRawSync(toolpath_deflated) });
  if (plan.kind !== 'built') throw new Error(`the toolpath “${name}”: ${plan.error}`);
  const own = { ...source, program_sha256: plan.sha256 };
  return { ...stored, source: own, program: plan.program };
}

/** The toolpath as its JSON text. */
export function toolpathText({ source }: RecordedToolpath): string {
  return new TextDecoder().decode(inflateRawSync(source.toolpath_deflated));
}
