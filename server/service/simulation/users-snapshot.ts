/** Snapshot of users and tokens, for resets. */
import type { Records, TokenRecord, UserRecord } from '../../store/records.ts';

export interface UsersSnapshot {
  readonly users: readonly UserRecord[];
  readonly tokens: readonly TokenRecord[];
  readonly last_ids: Readonly<Records['last_ids']>;
}

/** Takes users and tokens with their hashed secrets. */
export function takeUsers({ users, tokens, last_ids }: Readonly<Records>): UsersSnapshot {
  return structuredClone({ users, tokens, last_ids });
}

/** The session that restores the users: its user and token are preserved. */
export interface PreservedSession {
  readonly user_id: number;
  readonly token_id: number;
}

/** Restores the users in a draft of the records; preserves the given user and token. */
export function restoreUsers(
  draft: Records,
  snapshot: UsersSnapshot,
  preserved: PreservedSession | null,
): void {
  const { users, tokens, last_ids } = structuredClone(snapshot);
  const known = users.find(({ id }) => id === preserved?.user_id);
  const now = draft.users.find(({ id }) => id === preserved?.user_id);
  if (now && known?.role !== 'admin') {
    draft.users = [...users.filter(({ id }) => id !== preserved?.user_id), now];
  } else draft.users = [...users];
  const token = draft.tokens.find(({ id }) => id === preserved?.token_id);
  const lost = token && !tokens.some(({ id }) => id === token.id);
  draft.tokens = lost ? [...tokens, token] : [...tokens];
  draft.last_ids.user = Math.max(last_ids.user, ...draft.users.map(({ id }) => id));
  draft.last_ids.token = Math.max(last_ids.token, ...draft.tokens.map(({ id }) => id));
}
