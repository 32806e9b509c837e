import type { Bus } from '../bus/bus.ts';

/** Why no servo answers on a bus; `others` are the families that they may be of instead. */
export function noServoProblem({ name, problem }: Bus, others: string | undefined): string {
  const family = others ? `, and the family: ${others}` : '';
  return problem ?? `No servo answers on ${name}: check supply, cable, baud and adapter${family}`;
}
