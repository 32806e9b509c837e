import type { RuleResult } from '../../../conformance/rule-result.ts';

/** The score of a run. */
export interface Score {
  readonly held: number;
  readonly broken: number;
  readonly skipped: number;
  /** Requirements of which every rule held, and all that the rules cover. */
  readonly requirements_proven: number;
  readonly requirements: number;
  /** Rules that held among those that ran, 0 to 1; 0 when none ran. */
  readonly share: number;
}

/** Counts rules, and requirements by their weakest rule. */
export function scoreOf(results: readonly RuleResult[]): Score {
  const count = (wanted: RuleResult['outcome']) =>
    results.filter(({ outcome }) => outcome === wanted).length;
  const [held, broken, skipped] = [count('held'), count('broken'), count('skipped')];
  const all = new Set(results.flatMap(({ rule }) => rule.requirements));
  const failing = results.filter(({ outcome }) => outcome !== 'held');
  const open = new Set(failing.flatMap(({ rule }) => rule.requirements));
  return {
    held,
    broken,
    skipped,
    requirements_proven: all.size - open.size,
    requirements: all.size,
    share: held === 0 ? 0 : held / (held + broken),
  };
}

/** The score as a sentence. */
export function scoreText(score: Score): string {
  const { held, broken, skipped, requirements_proven, requirements } = score;
  const percent = Math.floor(score.share * 1000) / 10;
  const rules = `${held} of ${held + broken} rules held (${percent} %), ${skipped} skipped`;
  return `${rules}; ${requirements_proven} of ${requirements} requirements proven`;
}
