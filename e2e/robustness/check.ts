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
  /** What runs it beside `npm run check robustness`; `test -- --all` includes those of `test`. */
  readonly in: 'npm test' | 'npm test -- --all' | null;
  readonly run: () => Promise<CheckOutcome>;
}

/** Whether `npm test -- --all` asks. */
export const IS_CI = process.argv.includes('--ci');
/** False for `npm test`, which runs beside other work: times are not judged. */
export const IS_TIMED = !IS_CI && !process.argv.includes('--quick');

/** The outcome of several demands: it holds when all hold, and names those that fail. */
export function outcomeOf(
  figure: string,
  demands: Readonly<Record<string, boolean>>,
): CheckOutcome {
  const broken = Object.entries(demands).flatMap(([name, holds]) => (holds ? [] : [name]));
  const holds = broken.length === 0;
  return { holds, figure: holds ? figure : `${figure}; NOT: ${broken.join(', ')}` };
}
