/** The drive mode bit that makes a servo count in reverse. */

/** Drive mode bit of a servo that counts the other way. */
export const REVERSE_BIT = 1;

/** What is wrong with the direction of a servo, against the one that was calibrated; or null. */
export function reverseProblem(
  { reverse }: { readonly reverse?: boolean },
  drive_mode: number,
): string | null {
  const found = (drive_mode & REVERSE_BIT) !== 0;
  if (reverse === undefined || reverse === found) return null;
  const [has, had] = found
    ? ['counts in reverse', 'did not']
    : ['does not count in reverse', 'did'];
  const bit = `set bit 0 of its drive mode (register 10) to ${reverse ? 1 : 0} with torque off`;
  return `${has} and ${had} when it was calibrated: ${bit}, or calibrate again`;
}
