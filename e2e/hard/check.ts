/** What a check of robustness is: a fault, what the twin must do about it, and what it did. */

export interface Outcome {
  readonly holds: boolean;
  /** What was measured, with units. */
  readonly figure: string;
}

export interface Check {
  /** Short name, as the command line takes it. */
  readonly id: string;
  readonly fault: string;
  readonly goal: string;
  /** Runs in every `npm test`; the others only in `npm run test:hard`. */
  readonly quick: boolean;
  readonly run: () => Promise<Outcome>;
}

/** Whether this machine is taken to have time: the quick checks run beside others. */
export const IS_TIMED = !process.argv.includes('--quick');

/** An outcome of several demands: it holds when all do, and names those that do not. */
export function outcomeOf(figure: string, demands: Readonly<Record<string, boolean>>): Outcome {
  const broken = Object.entries(demands).flatMap(([name, holds]) => (holds ? [] : [name]));
  const holds = broken.length === 0;
  return { holds, figure: holds ? figure : `${figure}; NOT: ${broken.join(', ')}` };
}
