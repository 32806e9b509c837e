/**
 * Faults that change nothing anybody could see over the wire, each with the reason. They are not
 * drawn: a rule that noticed one would be wrong. An entry whose line has gone is refused.
 */

/** @typedef {import('./candidates.mjs').Mutation} Mutation */

/**
 * @typedef {{ path: string, source: string, kind: string, why: string }} Equivalent
 */

/** @type {readonly Equivalent[]} */
export const EQUIVALENTS = [];

/** @param {Mutation | Equivalent} fault */
const nameOf = ({ path, source, kind }) => `${path} ${kind} ${source}`;

/**
 * The faults that matter.
 * @param {Mutation[]} all
 * @returns {Mutation[]}
 */
export function withoutEquivalents(all) {
  const names = new Set(all.map(nameOf));
  const stale = EQUIVALENTS.filter((entry) => !names.has(nameOf(entry)));
  if (stale.length > 0) throw new Error(`no such fault any more:\n${stale.map(nameOf).join('\n')}`);
  const left = new Set(EQUIVALENTS.map(nameOf));
  return all.filter((fault) => !left.has(nameOf(fault)));
}
