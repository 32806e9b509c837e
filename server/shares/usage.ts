/** What each owner uses of what all share, for admins and for /metrics. */
import { type ShareName, type ShareRow, shareAlone, shares } from '../../contract/shares.ts';
import type { OwnerUsage, ShareUsage } from '../../contract/types.generated.ts';
import type { Owner } from './claimant.ts';

/** What the owners use, by share; the shares of parts that are not there are absent. */
export type Usage = { readonly [Name in ShareName]?: ReadonlyMap<Owner, number> };

/** The user of an owner; null for an address, an account without a user and the twin itself. */
function userOf(owner: Owner): number | null {
  return typeof owner === 'number' ? owner : null;
}

/** Who uses most of a share, the largest first. */
export function largestOf(owners: ReadonlyMap<Owner, number>, most: number): OwnerUsage[] {
  return [...owners]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([owner, used]) => ({ user_id: userOf(owner), used }));
}

/** Owners of a share that a reply lists. */
const LISTED = 1000;

/** The rows of the table of shares with what is used of them. */
export function usageReply(usage: Usage): ShareUsage[] {
  return Object.entries<ShareRow>(shares).flatMap(([name, row]) => {
    const owners = usage[name as ShareName];
    if (!owners) return [];
    const used = [...owners.values()].reduce((sum, one) => sum + one, 0);
    const { unit, total } = row;
    const alone = shareAlone(row);
    return [{ share: name, unit, total, alone, used, owners: largestOf(owners, LISTED) }];
  });
}
