import type { Dialect } from '../contract/routes.ts';
import type { RawTcp } from './raw-tcp.ts';
import type { RuleResult } from './rule-result.ts';
import type { RuleSocketClass } from './stream-listener.ts';

/** Options of a rule run. */
export interface RuleRunOptions {
  readonly baseUrl: string;
  /** An API token of an admin, or of an ordinary user where `admin` is false. */
  readonly token: string;
  readonly WebSocket: RuleSocketClass;
  /** Lets arm time pass: waits, or advances the clock of a twin. */
  readonly settle: (duration_s: number) => Promise<void>;
  /** Default documented. */
  readonly dialect?: Dialect;
  /** Whether the token is an admin's; default true. */
  readonly admin?: boolean;
  /** An API token of a second user, for services where users cannot be created. */
  readonly secondToken?: string;
  /** Whether the arm may move; default true. */
  readonly motion?: boolean;
  /** Whether an update may be installed; default false. */
  readonly update?: boolean;
  /** Raw TCP; rules that need it are skipped without it. */
  readonly rawTcp?: RawTcp;
  /** The longest rule to run (s), in arm time or wall time; default 60. */
  readonly ruleLimit_s?: number;
  /** Called before each rule: the one before may have reset the service. */
  readonly prepare?: () => Promise<unknown>;
  /** Called after each rule. */
  readonly onResult?: (result: RuleResult) => void;
  /** Called at the end with why the users of the run could not be deleted. */
  readonly onLeftover?: (reason: string) => void;
  /** Stops the run: a rule that waits ends, and the run cleans up after itself. */
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}
