import type { RouteId } from '../contract/routes.ts';
import type { RuleContext } from './rule-context.ts';

/** What a rule needs to run. The runner skips a rule whose needs are not met. */
export interface Needs {
  /** The arm may move a little from its current pose. */
  readonly motion?: boolean;
  /** An actor with the role admin. */
  readonly admin?: boolean;
  /** A second ordinary user. */
  readonly secondUser?: boolean;
  /** The simulation control API, /sim/v1. */
  readonly sim?: boolean;
  /** The simulated world around the arm; an arm with servos has none. */
  readonly world?: boolean;
  /** A clock that can be set and advanced; not with a servo bus. */
  readonly pace?: boolean;
  /** A clock that is by itself no faster than real time, or that can be set. */
  readonly realTime?: boolean;
  /** The arm may install an update. */
  readonly update?: boolean;
  /** Arm time that the rule takes (s), if more than a few seconds. */
  readonly armTime_s?: number;
  /** Raw TCP connections and wall time. */
  readonly rawTcp?: boolean;
  /** Wall time that the rule takes (s), if more than 1 s. */
  readonly wallTime_s?: number;
}

/** One statement of the spec with a check that proves it. */
export interface Rule {
  /** Short unique name, such as `lock/taken-once`. */
  readonly id: string;
  /** The ids of the requirements that it proves. */
  readonly requirements: readonly string[];
  /** The endpoints that it covers. */
  readonly routes: readonly RouteId[];
  /** What must hold, in one sentence. */
  readonly statement: string;
  readonly needs?: Needs;
  /** Resolves when the statement holds; rejects with RuleBroken when not. */
  readonly check: (context: RuleContext) => Promise<void>;
}
