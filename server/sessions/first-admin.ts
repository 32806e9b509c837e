/**
 * The first admin with an API token, from the options or generated (D9), and what the options mean
 * for a data folder that has users: the token that they name belongs to the first admin, replaces
 * the one of an earlier start, and stays revoked once it was. So do the tokens of a seed.
 */
import { limits } from '../../contract/limits.ts';
import type { SeedBody } from '../../contract/types.ts';
import type { Database } from '../store/database.ts';
import { StorageError } from '../store/disk.ts';
import type { RevokedToken, TokenRecord } from '../store/records.ts';
import type { Draft } from '../store/store.ts';
import { NO_OWNER, revokeTokens } from './revoked-tokens.ts';
import { createSecret, type PublicUser, sha256, type Users, verifyPassword } from './users.ts';

export interface FirstAdminSettings {
  readonly admin_email: string | null;
  readonly admin_password: string | null;
  readonly token: string | null;
  readonly showsCredentials: boolean;
}

/** What decides who can try tokens. */
interface ListenSettings {
  readonly token: string | null;
  readonly host: string;
}

/** Length below which a configured token is reported as guessable (characters). */
const SHORT_TOKEN = 20;

/** Addresses that only programs of this machine reach. */
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** A warning about a token that is easy to guess and reachable by others; null for none. */
export function tokenWarning({ token, host }: ListenSettings): string | null {
  if (token === null || token.length >= SHORT_TOKEN || LOOPBACK.includes(host)) return null;
  const { length } = token;
  return `The API token has ${length} characters: who guesses it is admin. Use 32 random ones.`;
}

/** Generated secrets, to be shown once; null for those that the configuration sets. */
export interface GeneratedCredentials {
  readonly email: string;
  readonly password: string | null;
  readonly token: string | null;
}

/** What a start changes, for the audit log. */
type StartEvent = 'user_created' | 'token_created' | 'token_deleted';

interface StartDetails {
  readonly user_id: number;
  readonly role?: string;
  readonly token_id?: number;
}

/** The parts that the first admin concerns. */
export interface AdminParts {
  readonly users: Users;
  readonly database: Database;
  readonly audit: { record(event: StartEvent, details: StartDetails): void };
  readonly log: { info(text: string): void; warn(text: string): void };
}

const DEFAULT_EMAIL = 'admin@armtwin.local';
const TOKEN_OPTIONS = '--token (or --token-file, ARMTWIN_TOKEN, ARMTWIN_TOKEN_FILE)';
/** The name of a token that an option named at a later start. */
const TOKEN_NAME = 'command line';
/** The setting that says that tokens of options are marked as such. */
const MARKED = 'configured_tokens';

/**
 * Creates the first admin if there are no users; returns the generated credentials, or null. Before
 * they count, `keep` gets them: where it throws there is no admin whom no one knows. An admin whose
 * generated password would not be seen has none, and logs in by token alone. A data folder with
 * users gets the token of the options, and what else they say is compared with it.
 */
export async function ensureAdmin(
  parts: AdminParts,
  settings: FirstAdminSettings,
  keep: (credentials: GeneratedCredentials) => void = () => {},
): Promise<GeneratedCredentials | null> {
  const first = firstAdminOf(parts.users);
  if (first) {
    for (const text of await unusedOptions(parts.users, settings, first)) parts.log.warn(text);
    if (settings.token !== null) await applyToken(parts, settings.token, first);
    return null;
  }
  const { admin_password, showsCredentials } = settings;
  const password = admin_password ?? (showsCredentials ? createSecret() : null);
  const secret = settings.token ?? createSecret();
  const credentials = {
    email: settings.admin_email ?? DEFAULT_EMAIL,
    password: admin_password ? null : password,
    token: settings.token ? null : secret,
  };
  keep(credentials);
  await createFirst(parts, { ...credentials, password, secret, isGiven: settings.token !== null });
  return credentials;
}

function firstAdminOf(users: Users): PublicUser | undefined {
  return users.list().find((user) => user.role === 'admin');
}

interface NewAdmin {
  readonly email: string;
  readonly password: string | null;
  readonly secret: string;
  /** Whether an option names the token. */
  readonly isGiven: boolean;
}

async function createFirst(
  { users, database, audit }: AdminParts,
  { email, password, secret, isGiven }: NewAdmin,
): Promise<void> {
  const admin = await users.create(email, password);
  if ('refused' in admin) throw new Error(`Could not create the first admin: ${admin.details}`);
  const { id: user_id, role } = admin;
  audit.record('user_created', { user_id, role });
  const token = await users.createToken(user_id, 'first token', {
    secret,
    is_configured: isGiven,
    onCreated: (draft) => draft.put(database.settings, MARKED, { row: 1 }),
  });
  if ('refused' in token) throw new Error(`Could not create the first token: ${token.details}`);
  audit.record('token_created', { user_id, token_id: token.id });
}

/** Warnings about options that describe another admin than the folder has. */
async function unusedOptions(
  users: Users,
  { admin_email, admin_password }: FirstAdminSettings,
  first: PublicUser,
): Promise<string[]> {
  const only = 'applies only to a new data folder, and this one has users';
  const named = admin_email === null ? null : users.named(admin_email);
  const warnings: string[] = [];
  if (admin_email !== null && named === null) {
    warnings.push(
      `--admin-email ${only}: none has this e-mail, and the first admin is user ${first.id}. ` +
        `Remove the option, or change the e-mail (PUT /api/v1/users/${first.id}).`,
    );
  }
  if (admin_password === null) return warnings;
  const { id, password } = named ?? users.find(first.id)!;
  if (await verifyPassword(admin_password, password)) return warnings;
  warnings.push(
    `--admin-password ${only}: user ${id} has another password, or none, which stays. ` +
      `Remove the option, or change the password (PUT /api/v1/users/${id}).`,
  );
  return warnings;
}

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

/** Tokens that options of earlier starts named; those of earlier versions by their name. */
function tokensOfOptions({ settings }: Database, draft: Draft, all: readonly TokenRecord[]) {
  const isMarked = draft.get(settings, MARKED) !== undefined;
  return all.filter((one) => one.is_configured || (!isMarked && one.name === TOKEN_NAME));
}

interface GivenToken {
  readonly secret: string;
  /** Owner of a token that is new. */
  readonly user_id: number;
  readonly created_at: string;
}

/** Makes the token of the options the only one of options; changes nothing where it is. */
function configureToken(database: Database, draft: Draft, given: GivenToken): TokenOutcome {
  const { tokens, revokedTokens, settings } = database;
  const { user_id, created_at } = given;
  const secret_sha256 = sha256(given.secret);
  const all = [...draft.rows(tokens).values()];
  const known = all.find((one) => one.secret_sha256 === secret_sha256);
  const revoked = draft.get(revokedTokens, secret_sha256);
  if (!known && revoked) return { kind: 'revoked', revoked };
  const replaced = tokensOfOptions(database, draft, all).filter((one) => one !== known);
  const kept = all.filter((one) => one.user_id === user_id && !replaced.includes(one));
  if (!known && kept.length >= limits.tokens_per_user) return { kind: 'full' };
  const owners = new Set(replaced.map((one) => one.user_id));
  for (const owner of owners) {
    const own = replaced.filter((one) => one.user_id === owner);
    revokeTokens(database, draft, { tokens: own, owner });
  }
  if (draft.get(settings, MARKED) === undefined) draft.put(settings, MARKED, { row: 1 });
  if (known?.is_configured) return { kind: 'known', token: known, replaced };
  const id = known?.id ?? draft.nextNumber('token');
  const made = { id, user_id, name: TOKEN_NAME, secret_sha256, created_at, last_used_at: null };
  const token: TokenRecord = { ...(known ?? made), is_configured: true };
  draft.put(tokens, id, { row: token });
  return { kind: known ? 'known' : 'made', token, replaced };
}

async function applyToken(
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
