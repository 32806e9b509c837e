/**
 * The API token that an option names (D9): it belongs to the first admin, replaces the one of an
 * earlier start, and stays revoked once it was.
 */

import { limits } from '../../../contract/limits.ts';
import type { Database } from '../../store/database.ts';
import type { Draft } from '../../store/draft.ts';
import type { RevokedToken, TokenRecord } from '../../store/records.ts';
import { StorageError } from '../../store/storage-error.ts';
import type { AdminParts } from './admin-parts.ts';
import { NO_OWNER, revokeTokens } from './revoked-tokens.ts';
import { sha256 } from './secrets.ts';
import type { PublicUser } from './users.ts';

const TOKEN_OPTIONS = '--token (or --token-file, ARMTWIN_TOKEN, ARMTWIN_TOKEN_FILE)';
/** The name of a token that an option named at a later start. */
const TOKEN_NAME = 'command line';

/** What became of the token of the options. */
type TokenOutcome =
  | { readonly kind: 'revoked'; readonly revoked: RevokedToken }
  | { readonly kind: 'full' }
  | {
      readonly kind: 'known' | 'made';
      readonly token: TokenRecord;
      /** Tokens of earlier starts, which are revoked now. */
      readonly replaced: readonly TokenRecord[];
    };

interface GivenToken {
  readonly secret: string;
  /** Owner of a token that is new. */
  readonly user_id: number;
  readonly created_at: string;
}

/** Makes the token of the options the only one of options; changes nothing where it is. */
function configureToken(database: Database, draft: Draft, given: GivenToken): TokenOutcome {
  const { tokens, revokedTokens } = database;
  const { user_id, created_at } = given;
  const secret_sha256 = sha256(given.secret);
  const all = [...draft.rows(tokens).values()];
  const known = all.find((one) => one.secret_sha256 === secret_sha256);
  const revoked = draft.get(revokedTokens, secret_sha256);
  if (!known && revoked) return { kind: 'revoked', revoked };
  const replaced = all.filter((one) => one.is_configured && one !== known);
  const kept = all.filter((one) => one.user_id === user_id && !replaced.includes(one));
  if (!known && kept.length >= limits.tokens_per_user) return { kind: 'full' };
  const owners = new Set(replaced.map((one) => one.user_id));
  for (const owner of owners) {
    const own = replaced.filter((one) => one.user_id === owner);
    revokeTokens(database, draft, { tokens: own, owner });
  }
  if (known?.is_configured) return { kind: 'known', token: known, replaced };
  const id = known?.id ?? draft.nextNumber('token');
  const made = { id, user_id, name: TOKEN_NAME, secret_sha256, created_at, last_used_at: null };
  const token: TokenRecord = { ...(known ?? made), is_configured: true };
  draft.put(tokens, id, { row: token });
  return { kind: known ? 'known' : 'made', token, replaced };
}

export async function applyToken(
  parts: AdminParts,
  secret: string,
  { id: user_id }: PublicUser,
): Promise<void> {
  const { users, database, log } = parts;
  const given = { secret, user_id, created_at: users.timestamp() };
  try {
    const change = (draft: Draft) => configureToken(database, draft, given);
    reportToken(parts, await database.store.change(change));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const state = users.tokenOf(secret) ? 'valid' : 'not valid';
    log.warn(
      `The API token of ${TOKEN_OPTIONS} could not be saved: ${error.message}. ` +
        `It is ${state}; one of an earlier start stays valid until a start can save.`,
    );
  }
}

function reportToken({ users, audit, log }: AdminParts, outcome: TokenOutcome): void {
  if (outcome.kind === 'revoked') {
    const { token_id, user_id } = outcome.revoked;
    const owner = user_id === NO_OWNER ? 'a user who was deleted' : `user ${user_id}`;
    log.warn(
      `The API token of ${TOKEN_OPTIONS} was revoked (token ${token_id} of ${owner}) and stays ` +
        'invalid. Change the option to a new one of 32 random characters, or remove it.',
    );
    return;
  }
  if (outcome.kind === 'full') {
    log.warn(
      `The API token of ${TOKEN_OPTIONS} is not valid: the first admin has ` +
        `${limits.tokens_per_user} tokens. Delete one and start again.`,
    );
    return;
  }
  const { token, replaced } = outcome;
  const { id: token_id, user_id } = token;
  if (outcome.kind === 'made') {
    audit.record('token_created', { user_id, token_id });
    log.info(`The API token of ${TOKEN_OPTIONS} is new: token ${token_id} of user ${user_id}`);
  }
  for (const one of replaced) {
    audit.record('token_deleted', { user_id: one.user_id, token_id: one.id });
    log.info(
      `Token ${one.id} of user ${one.user_id} is revoked: token ${token_id} replaces it as the ` +
        'one of the options',
    );
  }
  if (users.find(user_id)?.role === 'admin') return;
  log.warn(
    `The API token of ${TOKEN_OPTIONS} belongs to user ${user_id}, who is no admin. ` +
      'Change the option to a new one for the first admin.',
  );
}
