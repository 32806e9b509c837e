/** What each user uses of what all share, as rows of a table: the fullest share first. Pure. */
import type { ShareUsage, User } from '../../../contract/types.generated.ts';

/** The columns, by the shares that they show: of several, the one that the twin has. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Stored: ['stored_on_disk', 'stored_in_memory'],
  'Runs on': ['live_runs'],
  Connections: ['connections'],
  'Deliveries that wait': ['pending_deliveries'],
};
/** The heads of the cells of a row. */
export const USAGE_HEADS: readonly string[] = [...Object.keys(COLUMNS), 'Others'];

const IN_COLUMNS = new Set(Object.values(COLUMNS).flat());
/** What the archive keeps of an owner's is dropped by itself and needs nobody's attention. */
const KEPT = new Set(['stored_runs', 'finished_deliveries']);
const BYTES_PER_MIB = 1024 * 1024;

export interface UsageRow {
  /** E-mail of the user; what belongs to no user has a text of its own. */
  readonly name: string;
  /** Used and the most that the user alone may use, in the order of `USAGE_HEADS`; "" for nothing. */
  readonly cells: readonly string[];
  /** The largest part that is used of a share. */
  readonly fullness: number;
}

/** The text of a cell: what is used of what one alone may use. */
function usedText({ share, alone }: ShareUsage, used: number): string {
  if (!share.startsWith('stored_on') && share !== 'stored_in_memory') return `${used} of ${alone}`;
  const mebibytes = (bytes: number) => (bytes / BYTES_PER_MIB).toFixed(1);
  return `${mebibytes(used)} of ${mebibytes(alone)} MiB`;
}

/** The rows of all who use something. */
export function usageRows(usage: readonly ShareUsage[], users: readonly User[]): UsageRow[] {
  const owners = new Set(usage.flatMap((one) => one.owners.map(({ user_id }) => user_id)));
  const rows = [...owners].map((user_id): UsageRow => {
    const own = usage.flatMap((share) => {
      const used = share.owners
        .filter((owner) => owner.user_id === user_id)
        .reduce((sum, owner) => sum + owner.used, 0);
      return used > 0 ? [{ share, used }] : [];
    });
    const columns = Object.values(COLUMNS).map((names) => {
      const found = own.find(({ share }) => names.includes(share.share));
      return found ? usedText(found.share, found.used) : '';
    });
    const others = own
      .filter(({ share: { share } }) => !IN_COLUMNS.has(share) && !KEPT.has(share))
      .map(({ share, used }) => `${share.unit}: ${used}`);
    const name =
      user_id === null
        ? 'No user'
        : (users.find(({ id }) => id === user_id)?.email ?? `User ${user_id}`);
    const fullness = Math.max(0, ...own.map(({ share, used }) => used / share.alone));
    return { name, cells: [...columns, others.join(', ')], fullness };
  });
  return rows.sort((a, b) => b.fullness - a.fullness);
}
