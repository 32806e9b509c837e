/**
 * The program of a loaded toolpath in a file or a kept run: left out where it can be planned
 * again, and planned again.
 */

import { inflateRawSync } from 'node:zlib';
import { assert } from '../../physics/math/assert.ts';
import type { LoadedToolpath, RecordedToolpath } from '../robot/loaded-toolpath.ts';
import { planTasks } from './plan-tasks.ts';

/** The toolpath without its program, where that can be planned again. */
export function recordedToolpath({ program, ...rest }: LoadedToolpath): RecordedToolpath {
  return rest.source ? rest : { ...rest, program };
}

/**
 * The toolpath with its program, planned again: another version may plan another program, whose
 * SHA-256 its source then has. Throws an Error where there is no motion.
 */
export function plannedToolpath(stored: RecordedToolpath): LoadedToolpath {
  const { program, source, name } = stored;
  if (program) return { ...stored, source: source ?? null, program };
  assert(source, 'a toolpath without its program has a source');
  const { toolpath_deflated, ...rest } = source;
  const plan = planTasks.program({ ...rest, toolpath: inflateRawSync(toolpath_deflated) });
  if (plan.kind !== 'built') throw new Error(`the toolpath “${name}”: ${plan.error}`);
  const own = { ...source, program_sha256: plan.sha256 };
  return { ...stored, source: own, program: plan.program };
}
