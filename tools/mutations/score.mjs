/**
 * Results of mutation testing that add up: a record per source file, which is valid as long as the
 * text of the file is the same. docs/figures/mutations has them, a file per folder of server/.
 */
import { createHash } from 'node:crypto';

/**
 * @typedef {{ line: number, column: number }} Position both from 1
 * @typedef {{
 *   status: string, mutatorName: string, replacement?: string, statusReason?: string,
 *   location: { start: Position, end: Position },
 * }} Mutant of a report of StrykerJS
 * @typedef {{ at: string, mutator: string, replacement: string, covered: boolean }} Survivor `at`:
 *   `line:column-line:column` from 1; `covered`: a test runs the code
 * @typedef {{
 *   text: string, date: string, killed: number, timeouts: number,
 *   tests: 'near' | 'all', sentences: number, static: number, errors: number,
 *   survivors: Survivor[],
 * }} FileRecord `text`: digest of the measured source; `tests`: those of the folder alone, so that
 *   all tests may notice more, or all; `sentences`, `static` and `errors`: mutants
 *   that do not count, see docs/reliability.md
 * @typedef {{ [path: string]: FileRecord }} FileRecords
 * @typedef {{ path: string, source: string, mutator: string, replacement: string, reason: string }}
 *   Accepted a mutant that changes nothing observable: its file, the trimmed first source line, the
 *   mutator, the replacement and the reason
 * @typedef {{ path: string, text: string }} SourceFile
 */

/** Reason that the ignorer of StrykerJS (stryker-plugin.mjs) gives for a text of several words. */
export const SENTENCE = 'a sentence for people';

/** The digest that identifies a source text. @param {string} text */
export const digestOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** @param {Mutant} mutant @returns {Survivor} */
function survivorOf({ location: { start, end }, mutatorName, replacement = '', status }) {
  const at = `${start.line}:${start.column}-${end.line}:${end.column}`;
  return { at, mutator: mutatorName, replacement, covered: status === 'Survived' };
}

/**
 * Reason that StrykerJS gives for an error that no test caught, such as a rejected promise. vitest
 * fails for it as for a test, so the mutant is noticed.
 */
export const UNCAUGHT = 'An error occurred outside of a test run';

/** @param {Mutant} mutant */
const isKilled = ({ status, statusReason }) =>
  status === 'Killed' || (status === 'RuntimeError' && statusReason?.startsWith(UNCAUGHT));

/** Identifies a mutant within a file. @param {Survivor} mutant */
const idOf = ({ at, mutator, replacement }) => `${at} ${mutator} ${replacement}`;

/** Identifies a mutant of a report within a file. @param {Mutant} mutant */
export const mutantId = (mutant) => idOf(survivorOf(mutant));

const SURVIVED = new Set(['Survived', 'NoCoverage']);

/**
 * The record of a file from the results of all its mutants.
 * @param {string} text source of the file
 * @param {readonly Mutant[]} mutants
 * @param {Pick<FileRecord, 'date' | 'tests'>} run
 * @returns {FileRecord}
 */
export function recordOf(text, mutants, { date, tests }) {
  const count = (/** @type {(one: Mutant) => boolean} */ fits) => mutants.filter(fits).length;
  const ignored = count(({ status }) => status === 'Ignored');
  const sentences = count(({ statusReason }) => statusReason === SENTENCE);
  return {
    text: digestOf(text),
    date,
    tests,
    killed: count((one) => isKilled(one) === true),
    timeouts: count(({ status }) => status === 'Timeout'),
    sentences,
    static: ignored - sentences,
    errors: count((one) => one.status.endsWith('Error') && !isKilled(one)),
    survivors: mutants.filter(({ status }) => SURVIVED.has(status)).map(survivorOf),
  };
}

/**
 * The record after its survivors were tested again: those that a test now notices move.
 * @param {FileRecord} record
 * @param {readonly Mutant[]} mutants of the places of the survivors
 * @param {Pick<FileRecord, 'date' | 'tests'>} run
 * @returns {FileRecord}
 */
export function recordAgain(record, mutants, { date, tests }) {
  const statuses = new Map(
    mutants.map((one) => [mutantId(one), isKilled(one) ? 'Killed' : one.status]),
  );
  const moved = (/** @type {string} */ status) =>
    record.survivors.filter((one) => statuses.get(idOf(one)) === status).length;
  return {
    ...record,
    date,
    tests: record.tests === 'all' ? 'all' : tests,
    killed: record.killed + moved('Killed'),
    timeouts: record.timeouts + moved('Timeout'),
    survivors: record.survivors.filter((one) => {
      const status = statuses.get(idOf(one));
      return status !== 'Killed' && status !== 'Timeout';
    }),
  };
}

/**
 * The survivors of a file without the accepted ones; an entry accepts one mutant.
 * @param {SourceFile} file
 * @param {FileRecord} record
 * @param {readonly Accepted[]} accepted
 */
export function openSurvivors({ path, text }, { survivors }, accepted) {
  const lines = text.split('\n');
  const left = accepted.filter((one) => one.path === path);
  return survivors
    .map((one) => {
      const line = Number.parseInt(one.at, 10);
      return { ...one, line, source: (lines[line - 1] ?? '').trim() };
    })
    .filter((mutant) => {
      const entry = left.findIndex(
        ({ source, mutator, replacement }) =>
          source === mutant.source &&
          mutator === mutant.mutator &&
          replacement === mutant.replacement,
      );
      if (entry >= 0) left.splice(entry, 1);
      return entry < 0;
    });
}

/**
 * Score over files: those that are measured with their present text count, the others are listed.
 * @param {readonly SourceFile[]} files
 * @param {FileRecords} records
 * @param {readonly Accepted[]} accepted
 */
export function scoreOf(files, records, accepted) {
  const measured = files.filter(({ path, text }) => records[path]?.text === digestOf(text));
  const rest = files.filter((file) => !measured.includes(file)).map(({ path }) => path);
  const open = measured.map((file) => ({
    path: file.path,
    mutants: openSurvivors(file, records[file.path], accepted),
  }));
  const sum = (/** @type {(record: FileRecord) => number} */ value) =>
    measured.reduce((total, { path }) => total + value(records[path]), 0);
  const noticed = sum(({ killed, timeouts }) => killed + timeouts);
  const left = open.reduce((total, { mutants }) => total + mutants.length, 0);
  return {
    files: files.length,
    measured: measured.length,
    mutants: noticed + left,
    noticed,
    accepted: sum(({ survivors }) => survivors.length) - left,
    sentences: sum((record) => record.sentences),
    static: sum((record) => record.static),
    near: measured.filter(({ path }) => records[path].tests === 'near').length,
    stale: rest.filter((path) => path in records),
    missing: rest.filter((path) => !(path in records)),
    open,
  };
}

/**
 * The entries that accept no survivor of a measured file, because the code or a test changed.
 * @param {readonly SourceFile[]} files
 * @param {FileRecords} records
 * @param {readonly Accepted[]} accepted
 */
export function unusedEntries(files, records, accepted) {
  return accepted.filter((entry) => {
    const file = files.find(({ path }) => path === entry.path);
    const record = records[entry.path];
    if (file === undefined) return true;
    if (record?.text !== digestOf(file.text)) return false;
    const others = accepted.filter((one) => one !== entry);
    const { length } = openSurvivors(file, record, others);
    return length === openSurvivors(file, record, accepted).length;
  });
}
