/** Score and survivors of a StrykerJS report (mutation-testing-report-schema). */
import { readFileSync } from 'node:fs';

/**
 * @typedef {{
 *   status: string, mutatorName: string, replacement?: string,
 *   location: { start: { line: number } },
 * }} Mutant
 * @typedef {{ files: { [path: string]: { source: string, mutants: Mutant[] } } }} Report
 * @typedef {{ path: string, source: string, mutator: string, reason: string }} Accepted a mutant
 * that changes nothing observable: its file, the trimmed source line, the mutator and the reason
 */

/** @type {Accepted[]} */
const ACCEPTED = JSON.parse(readFileSync(new URL('./accepted.json', import.meta.url), 'utf8'));
const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError']);
const SURVIVED = new Set(['Survived', 'NoCoverage']);

/**
 * The mutants that count, with the file and source line of each.
 * @param {Report} report
 * @param {readonly Accepted[]} accepted
 */
function counted(report, accepted) {
  return Object.entries(report.files).flatMap(([path, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants
      .filter(({ status }) => NOTICED.has(status) || SURVIVED.has(status))
      .map((mutant) => {
        const { line } = mutant.location.start;
        return { ...mutant, path, line, source: (lines[line - 1] ?? '').trim() };
      })
      .filter(
        ({ mutatorName, source: text }) =>
          !accepted.some(
            (one) => one.path === path && one.source === text && one.mutator === mutatorName,
          ),
      );
  });
}

/**
 * How many mutants count, and how many of them a test notices.
 * @param {Report} report
 * @param {readonly Accepted[]} [accepted]
 */
export function scoreOf(report, accepted = ACCEPTED) {
  const mutants = counted(report, accepted);
  const killed = mutants.filter(({ status }) => NOTICED.has(status)).length;
  return { mutants: mutants.length, killed };
}

/**
 * A line per mutant that no test notices.
 * @param {Report} report
 * @param {readonly Accepted[]} [accepted]
 */
export function survivorsOf(report, accepted = ACCEPTED) {
  return counted(report, accepted)
    .filter(({ status }) => SURVIVED.has(status))
    .map(({ path, line, mutatorName, replacement = '', source }) => {
      const [short] = replacement.split('\n');
      return `  ${path}:${line} ${mutatorName}: ${source} -> ${short}`;
    });
}
