/**
 * Creates the first admin with an API token, from the configuration or generated (D9). A data
 * folder with users stays as it is, except that a configured token is added.
 */

import { createSecret } from './secrets.ts';
import type { Users } from './users.ts';

export interface FirstAdminSettings {
  readonly admin_email: string | null;
  readonly admin_password: string | null;
  readonly token: string | null;
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

const DEFAULT_EMAIL = 'admin@armtwin.local';

/** Creates the first admin if there are no users; returns the generated credentials, or null. */
export async function ensureAdmin(
  users: Users,
  settings: FirstAdminSettings,
): Promise<GeneratedCredentials | null> {
  const existing = users.list();
  if (existing.length > 0) {
    const admin = existing.find((user) => user.role === 'admin')!;
    if (settings.token && !users.tokenOf(settings.token)) {
      await users.createToken(admin.id, 'command line', { secret: settings.token });
    }
    return null;
  }
  const email = settings.admin_email ?? DEFAULT_EMAIL;
  const password = settings.admin_password ?? createSecret();
  const admin = await users.create(email, password);
  if ('refused' in admin) throw new Error(`Could not create the first admin: ${admin.details}`);
  const secret = settings.token ?? createSecret();
  await users.createToken(admin.id, 'first token', { secret });
  return {
    email,
    password: settings.admin_password ? null : password,
    token: settings.token ? null : secret,
  };
}
