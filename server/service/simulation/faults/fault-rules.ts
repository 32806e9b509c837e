/** The rules by which a part of the twin that injects faults looks them up. */
import type { FaultReporter } from './fault-kind.ts';

/** Which events a fault affects, and how. */
export interface FaultRule<Event, Effect> {
  readonly matches: (event: Event) => boolean;
  readonly effect: Effect;
  /** Number of effects before the fault expires; undefined: no limit. */
  readonly times?: number | undefined;
}

interface ActiveRule<Event, Effect> extends FaultRule<Event, Effect> {
  readonly reporter: FaultReporter;
  remaining: number;
}

/** Rules of the active faults of one event type; the first rule that matches applies. */
export class FaultRules<Event, Effect> {
  private rules: ActiveRule<Event, Effect>[] = [];

  /** Whether no rule is active. */
  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** Adds a rule; returns the function that removes it. */
  add(rule: FaultRule<Event, Effect>, reporter: FaultReporter): () => void {
    const entry = { ...rule, reporter, remaining: rule.times ?? Number.POSITIVE_INFINITY };
    this.rules.push(entry);
    return () => {
      this.rules = this.rules.filter((other) => other !== entry);
    };
  }

  /** The effect of an active fault on an event, or null. */
  match(event: Event): Effect | null {
    const rule = this.rules.find(({ matches }) => matches(event));
    if (!rule) return null;
    rule.remaining -= 1;
    rule.reporter.applied();
    if (rule.remaining <= 0) rule.reporter.expired();
    return rule.effect;
  }
}
