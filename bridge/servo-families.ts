/** The families of servos: a line each, and the first is that of a bus of which nothing is said. */

import { DYNAMIXEL } from './dynamixel/family.ts';
import { FEETECH } from './feetech/family.ts';
import type { ServoFamily } from './servo/servo-family.ts';

export const FAMILIES = [DYNAMIXEL, FEETECH] as const;

export type FamilyName = (typeof FAMILIES)[number]['name'];

/** Their names, as calibration files and `--servo-family` have them. */
export const FAMILY_NAMES: readonly FamilyName[] = FAMILIES.map(({ name }) => name);

/** The family of this name; the first one without a name. Throws where there is none. */
export function familyOf(name: string = FAMILIES[0].name): ServoFamily {
  const found = FAMILIES.find((family) => family.name === name);
  if (found) return found;
  throw new Error(`There are no ${name} servos: use ${FAMILY_NAMES.join(' or ')}`);
}

/** The families that servos which do not answer as this one may be of instead. */
export function otherFamilies({ name }: ServoFamily): readonly ServoFamily[] {
  return FAMILIES.filter((family) => family.name !== name);
}

/** The same as a hint; empty where there is no other family. */
export function familyHint(family: ServoFamily): string {
  const hints = otherFamilies(family).map(
    ({ name, title }) => `${title} servos need --servo-family ${name}`,
  );
  return hints.join(', ');
}
