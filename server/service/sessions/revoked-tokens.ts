/**
 * What is kept of revoked API tokens (D9): their hashes, so that no start makes one valid again
 * because an option or a seed still names it.
 */

import type { SeedBody } from '../../../contract/types.generated.ts';
import type { Database } from '../../store/database.ts';
import type { Draft } from '../../store/draft.ts';
import type { TokenRecord } from '../../store/records.ts';
import { sha256 } from './secrets.ts';

/** The owner of tokens whose user was deleted. */
export const NO_OWNER = 0;

/** Revoked tokens that are kept for an owner, besides those of options. */
export const REVOKED_PER_OWNER = 1000;

/** Forgets the oldest tokens of an owner beyond the limit, so that no user can fill the folder. */
function forgetOldest({ revokedTokens }: Database, draft: Draft, owner: number): void {
  const excess = draft.countIn(revokedTokens, owner) - REVOKED_PER_OWNER;
  if (excess <= 0) return;
  const known = [...revokedTokens.keysIn(owner)].flatMap((key) => {
    const row = draft.get(revokedTokens, key);
    return row?.user_id === owner && !row.is_configured ? [{ key, token_id: row.token_id }] : [];
  });
  known.sort((a, b) => a.token_id - b.token_id);
  for (const { key } of known.slice(0, excess)) draft.remove(revokedTokens, key);
}

/** Removes tokens and keeps their hashes; `owner` is who owned them, or `NO_OWNER`. */
export function revokeTokens(
  database: Database,
  draft: Draft,
  { tokens, owner }: { readonly tokens: readonly TokenRecord[]; readonly owner: number },
): void {
  for (const { id, secret_sha256, is_configured } of tokens) {
    draft.remove(database.tokens, id);
    const row = { user_id: owner, token_id: id, ...(is_configured && { is_configured }) };
    draft.put(database.revokedTokens, secret_sha256, { row });
  }
  forgetOldest(database, draft, owner);
}

/** Revokes the tokens of a user who is deleted. */
export function revokeAllOf(database: Database, draft: Draft, user_id: number): void {
  const { tokens, revokedTokens } = database;
  for (const key of revokedTokens.keysIn(user_id)) {
    const row = draft.get(revokedTokens, key);
    if (row) draft.put(revokedTokens, key, { row: { ...row, user_id: NO_OWNER } });
  }
  const own = [...draft.rows(tokens).values()].filter((token) => token.user_id === user_id);
  revokeTokens(database, draft, { tokens: own, owner: NO_OWNER });
}

/** The seed of a start without the tokens that were revoked; `warn` hears of each. */
export function withoutRevokedTokens(
  seed: SeedBody,
  { tokens, revokedTokens }: Database,
  warn: (text: string) => void,
): SeedBody {
  if (!seed.users) return seed;
  const isValid = ({ name, token }: { readonly name: string; readonly token: string }) => {
    const hash = sha256(token);
    const revoked = tokens.findBy(hash) ? undefined : revokedTokens.get(hash);
    if (!revoked) return true;
    warn(
      `The API token “${name}” of --seed was revoked (token ${revoked.token_id}) and stays ` +
        'invalid. Write another one into the seed, or remove it there.',
    );
    return false;
  };
  const users = seed.users.map((user) => {
    return user.tokens ? { ...user, tokens: user.tokens.filter(isValid) } : user;
  });
  return { ...seed, users };
}
