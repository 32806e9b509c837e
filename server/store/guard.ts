/**
 * The last look at the caller of a change, within its transaction: a session or a time that has
 * ended since the call began refuses it.
 */
import type { Refusal } from '../../contract/refusal.ts';

/** Decides at the last moment whether a change may still be made: null, or the refusal. */
export type Guard = () => Refusal<LateError> | null;

/** The errors of a call whose session or time has ended since it began. */
export type LateError = 'timed_out' | 'not_authenticated' | 'malformed_authorization';

/** The guard of changes that no caller requested. */
export const ALWAYS: Guard = () => null;
