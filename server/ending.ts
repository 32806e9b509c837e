/**
 * The end of a twin, part by part: one that fails keeps no other from its end, for a data folder
 * that stays claimed, or threads that go on, outlive whatever it was.
 */

type End = () => unknown;

/** Ends one part after another; rejects in the end with what went wrong first. */
export async function endAll(ends: readonly End[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
