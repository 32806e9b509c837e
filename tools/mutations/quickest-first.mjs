/**
 * Runs the quickest test files first: the first failure ends the tests of a mutant. vitest begins
 * with the longest ones.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/**
 * The files by the time of their slowest test; unknown ones last.
 * @template {{ moduleId: string }} File
 * @param {readonly File[]} files
 * @param {Readonly<Record<string, number>>} slowest_ms by path
 */
export function quickestFirst(files, slowest_ms) {
  const timeOf = (/** @type {File} */ { moduleId }) =>
    slowest_ms[relative(process.cwd(), moduleId).replaceAll('\\', '/')] ?? Number.MAX_VALUE;
  return [...files].sort((a, b) => timeOf(a) - timeOf(b));
}

export class QuickestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const path = process.env['MUTATION_TIMES'] ?? '';
    // The first run of all tests writes the times.
    return existsSync(path) ? quickestFirst(files, JSON.parse(readFileSync(path, 'utf8'))) : files;
  }
}
