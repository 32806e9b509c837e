/**
 * The order of the test files of a mutant, whose tests end at the first failure: quick files first,
 * and those that noticed the mutants before it, which are beside it in the source. vitest begins
 * with the longest files.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { NOTICED } from './kept-thread.mjs';

/** So many mutants that were noticed last say which file notices the next one. */
const LATEST = 30;
/** Chance of a file that noticed none of them, and the cost of its start (ms). */
const LEAST_CHANCE = 0.02;
const START_MS = 20;

/**
 * The files by what a noticed mutant costs with them; those without a time last.
 * @template {{ moduleId: string }} File
 * @param {readonly File[]} files
 * @param {Readonly<Record<string, number>>} slowest_ms time of the slowest test by path
 * @param {readonly string[]} [latest] paths of the files that noticed the latest mutants
 */
export function cheapestFirst(files, slowest_ms, latest = []) {
  const costOf = (/** @type {File} */ { moduleId }) => {
    const path = relative(process.cwd(), moduleId).replaceAll('\\', '/');
    const noticed = latest.filter((one) => one === path).length;
    const time_ms = slowest_ms[path] ?? Number.MAX_VALUE / 1e6;
    return (START_MS + time_ms) / (LEAST_CHANCE + noticed / LATEST);
  };
  return [...files].sort((a, b) => costOf(a) - costOf(b));
}

/** @type {string[]} */
const latest = [];
const channel = new BroadcastChannel(NOTICED);
channel.onmessage = ({ data }) => {
  latest.push(data);
  if (latest.length > LATEST) latest.shift();
};
/** @type {any} */ (channel).unref();

export class CheapestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const path = process.env['MUTATION_TIMES'] ?? '';
    // The first run of all tests writes the times.
    if (!existsSync(path)) return files;
    return cheapestFirst(files, JSON.parse(readFileSync(path, 'utf8')), latest);
  }
}
