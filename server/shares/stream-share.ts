/** The share that a user has of the open streams of a kind. */
import type { Refusal } from '../../contract/refusal.ts';
import { shares } from '../../contract/shares.ts';
import type { Claimant, Owner } from './claimant.ts';
import { Share } from './share.ts';

/** How many streams each user has open, of the user of each. */
export function streamsOf(owners: readonly Owner[]): ReadonlyMap<Owner, number> {
  const counts = new Map<Owner, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return counts;
}

/**
 * Refuses a user another stream beyond a share, or null; `owners` has the user of each open stream
 * of the kind. A user without one always gets it: others cannot lock anyone out.
 */
export function streamRefusal(
  claimant: Claimant,
  owners: readonly Owner[],
): Refusal<'too_many_streams'> | null {
  const share = new Share(shares.streams);
  for (const [owner, count] of streamsOf(owners)) share.add(owner, count);
  return share.usedBy(claimant.owner) === 0 ? null : share.refusal(claimant);
}
