/** How sentences name the force that a grip needs and the one that it transmits (N). */

/** A force that a grip needs and the one that it transmits at most (N). */
export interface Need {
  readonly needed_n: number;
  readonly most_n: number;
}

/** Most digits of a force behind the point. */
const MOST_DIGITS = 6;

/** The needed force and the smaller one that holds (N), with digits that differ. */
export function differing({ needed_n, most_n }: Need): readonly [string, string] {
  let digits = 1;
  while (digits < MOST_DIGITS && needed_n.toFixed(digits) === most_n.toFixed(digits)) digits++;
  return [needed_n.toFixed(digits), most_n.toFixed(digits)];
}
