/**
 * What a run of rules is told, and what it tells of each. Apart from the runner, so that what
 * serves it need not know it.
 */
import type { Dialect } from '../routes.ts';
import type { RuleSocketClass } from './listener.ts';
import type { Ground, Rule } from './rule.ts';

export interface RunOptions {
  readonly baseUrl: string;
  /** An API token of an admin, or of an ordinary user where `admin` is false. */
  readonly token: string;
  readonly WebSocket: RuleSocketClass;
  /** Lets arm time pass: by waiting, or by moving the clock of a twin. */
  readonly settle: (duration_s: number) => Promise<void>;
  /** Default documented. */
  readonly dialect?: Dialect;
  /** Whether the token is an admin's; default true. */
  readonly admin?: boolean;
  /** An API token of a second user, for services on which no user can be made. */
  readonly secondToken?: string;
  /** Whether the arm may move; default true. */
  readonly motion?: boolean;
  /** Whether an update may be installed; default false. */
  readonly update?: boolean;
  /** What lies below HTTP; rules that need it are skipped without. */
  readonly ground?: Ground;
  /** The most time that a rule may take (s), of the arm or of the wall; default 60. */
  readonly patience_s?: number;
  /** Told after each rule. */
  readonly onResult?: (result: RuleResult) => void;
  readonly fetch?: typeof fetch;
}

export interface RuleResult {
  readonly rule: Rule;
  readonly outcome: 'held' | 'broken' | 'skipped';
  /** Why it is broken or skipped; empty when it held. */
  readonly reason: string;
}

/** The API tokens behind the actors. */
export interface Tokens {
  readonly user: string;
  readonly other: string | null;
  readonly admin: string | null;
}
