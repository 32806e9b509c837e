/** Checks the toolpaths of a seed. */
import type { SeedBody, SeedToolpath } from '../../contract/types.generated.ts';
import { checkedToolpath, type InBody } from './checked-toolpath.ts';

/** A seed with its toolpaths checked. */
export type CheckedSeed = Omit<SeedBody, 'toolpaths'> & {
  readonly toolpaths?: readonly InBody<SeedToolpath>[];
};

/** Checks the toolpaths of a seed. */
export function checkedSeed({ toolpaths, ...rest }: SeedBody): CheckedSeed {
  if (!toolpaths) return rest;
  const checked = toolpaths.map((one) => ({ ...one, toolpath: checkedToolpath(one.toolpath) }));
  return { ...rest, toolpaths: checked };
}
