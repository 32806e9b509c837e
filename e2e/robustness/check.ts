/**
 * The type of a robustness check: the fault it injects, the requirement on the twin, and the
 * measured result.
 */

export interface CheckOutcome {
  readonly holds: boolean;
  /** The measurement, with units. */
  readonly figure: string;
}

export interface RobustnessCheck {
  /** Short name for the command line. */
  readonly id: string;
  readonly fault: string;
  readonly goal: string;
  /** True: runs in every `npm test`; others run only in `npm run check robustness`. */
  readonly quick: boolean;
  readonly run: () => Promise<CheckOutcome>;
}

/** False for quick checks, which run in parallel with other work and do not judge times. */
export const IS_TIMED = !process.argv.includes('--quick');

/** The outcome of several demands: it holds when all hold, and names those that fail. */
export function outcomeOf(
  figure: string,
  demands: Readonly<Record<string, boolean>>,
): CheckOutcome {
  const broken = Object.entries(demands).flatMap(([name, holds]) => (holds ? [] : [name]));
  const holds = broken.length === 0;
  return { holds, figure: holds ? figure : `${figure}; NOT: ${broken.join(', ')}` };
}
