/**
 * Somebody has to be first: an admin with an API token, from the settings or made up and told once
 * (decision D9). A folder that knows users already is left as it is, but for a token given.
 */

import type { People } from './people.ts';
import { createSecret } from './secrets.ts';

export interface FirstAdminSettings {
  readonly admin_email: string | null;
  readonly admin_password: string | null;
  readonly token: string | null;
}

/** What was made up and must be told, because nobody else knows it. */
export interface MadeUp {
  readonly email: string;
  readonly password: string | null;
  readonly token: string | null;
}

const DEFAULT_EMAIL = 'admin@armtwin.local';

/** Makes the first admin where nobody is known yet; answers what was made up, if anything. */
export async function ensureAdmin(
  people: People,
  settings: FirstAdminSettings,
): Promise<MadeUp | null> {
  const known = people.list();
  if (known.length > 0) {
    const admin = known.find((user) => user.role === 'admin')!;
    if (settings.token && !people.tokenOf(settings.token)) {
      await people.createToken(admin.id, 'command line', settings.token);
    }
    return null;
  }
  const email = settings.admin_email ?? DEFAULT_EMAIL;
  const password = settings.admin_password ?? createSecret();
  const admin = await people.create(email, password);
  if ('refused' in admin) throw new Error(`The first admin could not be made: ${admin.details}`);
  const { token } = await people.createToken(admin.id, 'first token', settings.token ?? undefined);
  return {
    email,
    password: settings.admin_password ? null : password,
    token: settings.token ? null : token,
  };
}
