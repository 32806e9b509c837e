/**
 * What a tick or a command gives the outside to know, each with its audience (spec §6.1). The lock
 * is told as its holder, because `you` differs from receiver to receiver.
 */
import type { Joints } from '../../contract/types.ts';
import type { Caller } from './commands.ts';

/** Snapshot sections with only what changed. */
export type SnapshotChanges = Record<string, unknown>;

export type RobotEvent =
  | { readonly kind: 'state_change'; readonly changes: SnapshotChanges }
  | { readonly kind: 'lock_status'; readonly holder: Caller | null }
  | { readonly kind: 'backdriving'; readonly waypoint: Joints }
  /** For the twin's own log, never for the arm's stream. */
  | { readonly kind: 'log'; readonly level: 'info' | 'warning' | 'error'; readonly text: string };
