/** Violated statements of the invariant monitor, kept for the test that causes them. */

/** Violations kept for tests. */
const RECORDED_MAX = 100;

/** A statement that did not hold: what was published, and what contradicts it. */
export interface InvariantViolation {
  readonly statement: string;
  readonly left: string;
  readonly right: string;
  readonly tick: number;
}

const recorded: InvariantViolation[] = [];

/** Keeps a violation of a twin of this process for tests. */
export function recordViolation(violation: InvariantViolation): void {
  if (recorded.length < RECORDED_MAX) recorded.push(violation);
}

/** Violations of all twins of this process since the last call, for tests. */
export function takeViolations(): readonly InvariantViolation[] {
  return recorded.splice(0);
}
