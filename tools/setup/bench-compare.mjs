/**
 * `npm run bench compare -- COMMIT [COMMIT …] [--of NAME,…] [--rounds N] [--write]`: the built
 * programs of commits side by side. Their benchmarks run in turns, so that load of the machine meets
 * all of them, and each figure is the median over the rounds, N or three times N of a short benchmark. `.` is the tree as it is; it is added
 * to one commit alone. `--write` puts the figures of the last column into docs/figures.md.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchProgram } from './bench-program.mjs';
import { compareFigures, figuresOf } from './figures.mjs';
import { PAGE, ROWS, tableOf, withMeasured } from './figures-page.mjs';
import { keptBuild } from './kept-build.mjs';
import { runToEnd } from './process.mjs';

/**
 * Some processes run a third slower than others of the same program, from their start to their end:
 * a benchmark whose round is over soon has so many times the rounds.
 */
const ROUNDS_OF_SHORT = 3;
/** Longest round of a short benchmark, of all trees (ms). */
const SHORT_MS = 30_000;

/** The benchmarks of the table. */
const OF_TABLE = [...new Set(ROWS.map(({ of }) => of))].join();
const OPTIONS = /** @type {const} */ ({
  of: { type: 'string', default: OF_TABLE },
  rounds: { type: 'string', default: '5' },
  write: { type: 'boolean', default: false },
});

const digits = (/** @type {number} */ value) => String(+value.toPrecision(3));

/** @param {number} value @param {number} [ratio] */
function cellOf(value, ratio) {
  if (Number.isNaN(value)) return '-';
  return ratio === 1 ? digits(value) : `${digits(value)} ×${ratio?.toFixed(2)}`;
}

/**
 * Runs a benchmark of each tree in turns; the figures of each round, a column a tree.
 * @param {string} name
 * @param {readonly string[]} trees
 * @param {number} rounds
 */
async function runInTurns(name, trees, rounds) {
  const programs = [];
  for (const tree of trees) programs.push(await benchProgram(tree, name));
  /** @type {Map<string, number>[][]} */
  const columns = trees.map(() => []);
  let count = rounds;
  for (let round = 0; round < count; round++) {
    const start_ms = performance.now();
    for (const [i, tree] of trees.entries()) {
      const args = programs[i];
      if (!args) continue;
      const label = `${name}, round ${round + 1} of ${count}`;
      // A goal that is missed ends a benchmark with an error, after its figures.
      const { output } = await runToEnd(process.execPath, args, { label, cwd: tree });
      const figures = figuresOf(output);
      if (figures.size === 0)
        process.stderr.write(`${name} in ${tree} has no figures:\n${output}\n`);
      columns[i]?.push(figures);
    }
    const isShort = performance.now() - start_ms <= SHORT_MS;
    if (round === 0 && isShort) count *= ROUNDS_OF_SHORT;
  }
  return columns;
}

/** When, on what and of what the figures are. @param {string} rounds */
function measuredHow(rounds) {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' });
  const processors = cpus();
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} at ${commit.trim()}: medians of ${rounds} rounds in turns, of`,
    `${ROUNDS_OF_SHORT * Number(rounds)} of the benchmarks that take less than half a minute,`,
    `Node ${process.versions.node}, ${processors.length} × ${processors[0]?.model.trim()}.`,
  ];
}

/** @param {string[]} flags @returns {Promise<number>} */
export async function benchCompare(flags) {
  const { values, positionals } = parseArgs({
    args: flags,
    options: OPTIONS,
    allowPositionals: true,
  });
  const commits = positionals.length === 1 ? [...positionals, '.'] : positionals;
  if (commits.length === 0) {
    console.error(
      'usage: npm run bench compare -- COMMIT [COMMIT …] [--of NAME,…] [--rounds N] [--write]',
    );
    return 2;
  }
  const trees = [];
  for (const commit of commits) {
    trees.push(commit === '.' ? process.cwd() : await keptBuild(commit));
  }
  console.log(
    `medians of ${values.rounds} rounds, or ${ROUNDS_OF_SHORT} times as many of short ones; × ratio to ${commits[0]}`,
  );
  const columnsOf = new Map();
  for (const name of values.of.split(',')) {
    const columns = await runInTurns(name, trees, Number(values.rounds));
    columnsOf.set(name, columns);
    console.log(
      `\n${name.padEnd(90)}${commits.map((it) => it.slice(0, 14).padStart(17)).join('')}`,
    );
    for (const { name: figure, medians, ratios } of compareFigures(columns)) {
      const cells = medians.map((value, i) => cellOf(value, ratios[i]).padStart(17));
      console.log(`${figure.padEnd(90)}${cells.join('')}`);
    }
  }
  if (!values.write) return 0;
  const { rows, missing } = tableOf(columnsOf, String(commits[0]));
  const lines = [...measuredHow(values.rounds), '', ...rows];
  writeFileSync(PAGE, withMeasured(readFileSync(PAGE, 'utf8'), lines));
  for (const name of missing) console.error(`No benchmark prints the figure: ${name}`);
  return missing.length > 0 ? 1 : 0;
}
