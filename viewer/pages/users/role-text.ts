import type { Role } from '../../../contract/types.generated.ts';

/** Display name of a role. */
export function roleText(role: Role): string {
  return role === 'admin' ? 'Admin' : 'User';
}
