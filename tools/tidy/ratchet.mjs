/**
 * Old debts, written down so that they can only shrink. A rule with a ratchet gives a number for
 * each place it minds; ratchet.json holds the numbers that stand. A place that is not there, or a
 * larger number, fails; so does a smaller one until `--lower` has written it down.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** @typedef {Record<string, Record<string, number>>} Ratchet rule → place → number */

/**
 * @param {string} path
 * @returns {Ratchet}
 */
export function readRatchet(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * @param {string} path
 * @param {Ratchet} ratchet
 */
export function writeRatchet(path, ratchet) {
  writeFileSync(path, `${JSON.stringify(ratchet, null, 2)}\n`);
}

/**
 * The sentences for every place where `now` differs from what was written down.
 * @param {Record<string, number>} written
 * @param {Map<string, { value: number, say: string }>} now
 */
export function compare(written, now) {
  const problems = [];
  for (const [place, { value, say }] of now) {
    const before = written[place];
    if (before === undefined || value > before) problems.push(`${place}: ${say}`);
    else if (value < before) problems.push(better(place, value, before));
  }
  for (const [place, before] of Object.entries(written)) {
    if (!now.has(place)) problems.push(better(place, 0, before));
  }
  return problems;
}

/**
 * @param {string} place
 * @param {number} value
 * @param {number} before
 */
function better(place, value, before) {
  const change = `${before} → ${value}`;
  return `${place}: better than written down (${change}); keep it: npm run tidy -- --lower`;
}

/**
 * What may be written: each place that still stands, at the smaller of the two numbers. A rule
 * that is new to the ratchet is taken as it stands.
 * @param {Record<string, number> | undefined} written
 * @param {Map<string, { value: number, say: string }>} now
 */
export function lowered(written, now) {
  /** @type {Record<string, number>} */
  const kept = {};
  for (const place of [...now.keys()].sort()) {
    const value = now.get(place)?.value ?? 0;
    const before = written === undefined ? value : written[place];
    if (before !== undefined) kept[place] = Math.min(before, value);
  }
  return kept;
}
