/** How sentences name the force that a grip needs, what it is made of, and what is transmitted (N). */

/** A force that a grip needs and the one that it transmits at most (N). */
export interface Need {
  readonly needed_n: number;
  readonly most_n: number;
}

/**
 * What a needed force is made of: parts along it, which sum up to it (N). A part that helps is
 * negative.
 */
export interface Balance {
  readonly weight_n: number;
  readonly inertia_n: number;
  /** Of what touches the held object, or what it carries. */
  readonly contact_n: number;
}

/** Most digits of a force behind the point. */
const MOST_DIGITS = 6;

/** Digits behind the point with which the needed force and the smaller one that holds differ. */
function digitsOf({ needed_n, most_n }: Need): number {
  let digits = 1;
  while (digits < MOST_DIGITS && needed_n.toFixed(digits) === most_n.toFixed(digits)) digits++;
  return digits;
}

/**
 * Why a grip or friction does not hold, as a part of a sentence: the needed force with its balance,
 * and what `holder` holds. `rule` says how a needed force is made that is no plain sum.
 */
export function needText(
  need: Need,
  { weight_n, inertia_n, contact_n }: Balance,
  { holder, rule }: { readonly holder: string; readonly rule?: string },
): string {
  const digits = digitsOf(need);
  const parts = Object.entries({ weight: weight_n, inertia: inertia_n, contact: contact_n })
    .map(([name, size_n]) => [name, size_n.toFixed(digits)] as const)
    .filter(([, size]) => Number(size) !== 0)
    // What helps comes last, as what is taken off.
    .toSorted(([, a], [, b]) => Number(a.startsWith('-')) - Number(b.startsWith('-')))
    .map(([name, size]) =>
      size.startsWith('-') ? `less ${name} ${size.slice(1)} N` : `${name} ${size} N`,
    )
    .join(', ');
  const made = [rule, parts].filter((text) => text !== undefined && text !== '').join(': ');
  const needed = `${need.needed_n.toFixed(digits)} N needed${made === '' ? '' : ` (${made})`}`;
  return `${needed}, ${holder} holds ${need.most_n.toFixed(digits)} N`;
}
