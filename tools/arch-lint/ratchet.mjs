/**
 * A ratchet of known violations, which can only shrink. A rule with a ratchet reports a number per
 * place; ratchet.json holds the accepted numbers. A new place or a larger number fails. A smaller
 * number fails too, until `--lower` writes it to the file.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * @typedef {Record<string, Record<string, number>>} Ratchet rule → place → number
 * @typedef {Map<string, { value: number, say: string }>} Places
 */

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
 * The problems of every place where `now` differs from the accepted number.
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
  return `${place}: better than the ratchet (${change}); save it: npm run arch-lint -- --lower`;
}

/**
 * The new accepted numbers: each remaining place at the smaller of the two numbers. A rule that is
 * new to the ratchet is accepted as it is.
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
