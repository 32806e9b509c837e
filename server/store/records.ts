/** The records of users, tokens, toolpaths and settings, which survive power cycles. */
import type { CollisionDetectionState, SchedulerState } from '../../contract/types.generated.ts';

export interface UserRecord {
  readonly id: number;
  email: string;
  role: 'admin' | 'user';
  /** scrypt salt and key, hexadecimal, joined by a colon; null without a password. */
  password: string | null;
}

export interface TokenRecord {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly secret_sha256: string;
  readonly created_at: string;
  last_used_at: string | null;
  /** Present if an option of a start names it. */
  is_configured?: true;
}

/** An API token that was revoked; the key of its row is its SHA-256. */
export interface RevokedToken {
  /** Its owner; 0 once that user was deleted. */
  readonly user_id: number;
  readonly token_id: number;
  /** Present if an option of a start had named it: it is never forgotten. */
  readonly is_configured?: true;
}

export interface ToolpathRecord {
  readonly id: number;
  readonly owner_id: number;
  name: string;
  hash: string;
  /** Twin's date and time of its last save. */
  modified_at: string;
  /** Size of its JSON text. */
  bytes: number;
}

/** What callers set on the robot, which keeps it without power; null: never set. */
export interface ArmSettings {
  collision_detection: CollisionDetectionState | null;
  scheduler: SchedulerState | null;
}

/** A row of the settings: a text, or what was set on the robot. */
export type SettingRow = string | NonNullable<ArmSettings[keyof ArmSettings]>;

export interface Records extends ArmSettings {
  name: string;
  software_version: string;
  users: UserRecord[];
  tokens: TokenRecord[];
  toolpaths: ToolpathRecord[];
  /** Highest ids assigned so far; ids are never reused. */
  last_ids: { user: number; token: number; toolpath: number };
}

export type LastIds = Records['last_ids'];

export const SEQUENCES = [
  'user',
  'token',
  'toolpath',
] as const satisfies readonly (keyof LastIds)[];
