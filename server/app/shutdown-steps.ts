/** Closes the parts of a twin in order, also where one of them fails. */

/** Closes one part. */
export type ShutdownStep = () => unknown;

/**
 * Runs every step in order, even after one failed: a failure must not leave the data folder locked
 * or threads running. Rejects with the first failure at the end.
 */
export async function runShutdownSteps(steps: readonly ShutdownStep[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
