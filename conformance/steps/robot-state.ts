/** The state of the robot during a rule. */
import type { RuleContext } from '../rule-context.ts';

/** The robot's state (spec §3.1). */
export async function stateOf(context: RuleContext): Promise<string> {
  return (await context.snapshot()).control.state;
}

/** Advances arm time until the robot reaches a state. */
export async function waitForState(context: RuleContext, state: string): Promise<void> {
  await context.until(`the robot is ${state}`, async () => (await stateOf(context)) === state);
}
