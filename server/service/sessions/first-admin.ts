/**
 * The first admin, from the options or generated (D9), and what the options mean for a data folder
 * that has users.
 */
import type { AdminParts } from './admin-parts.ts';
import { applyToken } from './configured-token.ts';
import { verifyPassword } from './passwords.ts';
import { createSecret } from './secrets.ts';
import type { PublicUser, Users } from './users.ts';

export interface FirstAdminSettings {
  readonly admin_email: string | null;
  readonly admin_password: string | null;
  readonly token: string | null;
  readonly showsCredentials: boolean;
}

/** Generated secrets, to be shown once; null for those that the configuration sets. */
export interface GeneratedCredentials {
  readonly email: string;
  readonly password: string | null;
  readonly token: string | null;
}

const DEFAULT_EMAIL = 'admin@armtwin.local';

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
  { users, audit }: AdminParts,
  { email, password, secret, isGiven }: NewAdmin,
): Promise<void> {
  const admin = await users.create(email, password);
  if ('refused' in admin) throw new Error(`Could not create the first admin: ${admin.details}`);
  const { id: user_id, role } = admin;
  audit.record('user_created', { user_id, role });
  const token = await users.createToken(user_id, 'first token', {
    secret,
    is_configured: isGiven,
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
