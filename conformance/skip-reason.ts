/** Why a rule is skipped: what it needs, against what this run has. */

import type { ActorTokens } from './actor.ts';
import type { Needs } from './rule.ts';
import type { RuleRunOptions } from './run-options.ts';
import type { SimCapabilities } from './sim-capabilities.ts';

/** The options, tokens and capabilities of this run. */
export interface RunCapabilities {
  readonly options: RuleRunOptions;
  readonly tokens: ActorTokens;
  /** The parts of /sim/v1 that this token can use. */
  readonly sim: SimCapabilities;
}

const RULE_LIMIT_S = 60;

export function skipReason(needs: Needs, { options, tokens, sim }: RunCapabilities): string | null {
  const limit_s = options.ruleLimit_s ?? RULE_LIMIT_S;
  if (needs.motion && options.motion === false) return 'the arm may not move';
  if (needs.admin && tokens.admin === null) return 'there is no admin token';
  if (needs.secondUser && tokens.other === null) return 'there is no second user';
  if (needs.sim && !sim.sim) return 'the service has no /sim/v1 for this token';
  if (needs.world && !sim.world) return 'there is no simulated world around this arm';
  if (needs.pace && !sim.pace) return 'the clock of this arm cannot be set';
  if (needs.realTime && sim.fast && (!sim.pace || tokens.admin === null)) {
    return 'the clock of this twin is faster than real time, and this token cannot set it';
  }
  if (needs.update && !options.update) return 'no update may be installed';
  if (needs.rawTcp && !options.rawTcp) return 'raw TCP is not available';
  for (const [duration_s = 0, kind] of [
    [needs.armTime_s, 'arm'],
    [needs.wallTime_s, 'wall'],
  ] as const) {
    if (duration_s <= limit_s) continue;
    return `it takes ${duration_s} s of ${kind} time, more than the limit of ${limit_s} s`;
  }
  return null;
}
