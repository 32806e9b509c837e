/** Which arm a file is of: recordings and calibrations are of no use to another. */
import { BOUND_ARM } from './bound-arm.ts';

export interface ArmMark {
  readonly name: string;
  readonly fingerprint: string;
}

/** The field of the files of this process; files of the default arm have none, as in the past. */
export const ARM_MARK: { readonly arm?: ArmMark } =
  BOUND_ARM.fingerprint === ''
    ? {}
    : { arm: { name: BOUND_ARM.name, fingerprint: BOUND_ARM.fingerprint } };

const isMark = (value: unknown): value is ArmMark =>
  typeof value === 'object' && value !== null && 'name' in value && 'fingerprint' in value;

/** What is said of a file whose field `arm` is not that of this process, or null. */
export function otherArmProblem(mark: unknown): string | null {
  if (mark !== undefined && !isMark(mark)) return 'names no arm with its fingerprint';
  if ((mark?.fingerprint ?? '') === BOUND_ARM.fingerprint) return null;
  const name = mark?.name ?? 'default';
  if (name === BOUND_ARM.name) {
    return `is of the arm “${name}” with other numbers than it has now; use the arm.json of then`;
  }
  return `is of the arm “${name}”, but this process has “${BOUND_ARM.name}”; start it with --arm ${name}`;
}
