/**
 * The table of docs/figures.md that `npm run bench compare` writes: chosen figures as a reader
 * knows them, of the tree as it is, with their ratios to the first commit of the comparison.
 */
import { median } from './figures.mjs';

export const PAGE = 'docs/figures.md';
const BEGIN = '<!-- measured: npm run bench compare -- COMMIT . --write -->';
const END = '<!-- end of measured -->';

/**
 * @typedef {{ what: string, of: string, text: string, figures: readonly string[] }} Row `text` has a
 *   `#` for each figure, which are named as in figures.mjs, of the benchmark `of`
 */

const START = ['rapier', 'fast'];
const stepped = (/** @type {string} */ plant) =>
  `stepped, ${plant}, # clients: [#] x real time, # µs a tick (processor time)`;
const LATE = 'real pace, rapier, # clients: late p50 # ms, p99 [#] ms, drift # ms in # s, RSS # MB';

/** @type {readonly Row[]} */
export const ROWS = [
  {
    what: 'start of the built program until ready',
    of: 'startup',
    text: '# ms (rapier), # ms (fast)',
    figures: START.map(
      (plant) => `${plant}: ready after [#] ms (processor # ms), RSS # MB, median of #`,
    ),
  },
  {
    what: 'resident memory when ready',
    of: 'startup',
    text: '# MB (rapier), # MB (fast)',
    figures: START.map(
      (plant) => `${plant}: ready after # ms (processor # ms), RSS [#] MB, median of #`,
    ),
  },
  {
    what: 'rate of the whole robot, stepped',
    of: 'loop',
    text: '# times real time (rapier), # times (fast)',
    figures: [stepped('rapier'), stepped('fast')],
  },
  {
    what: 'the same with one stream client',
    of: 'loop',
    text: '# times real time (fast)',
    figures: [`${stepped('fast')} (2)`],
  },
  {
    what: 'tick lateness at real time, 20 and 100 stream clients',
    of: 'loop',
    text: 'p99 # ms, # ms',
    figures: [LATE, `${LATE} (2)`],
  },
  {
    what: 'a twin in a test: ready, reset, a minute of toolpath',
    of: 'twin',
    text: '# ms, # ms, # ms',
    figures: [
      'createTwin to ready: [#] ms, median of #',
      'reset over HTTP: [#] ms, median of #',
      '# s of a run, no stream client: [#] ms, processor # ms (× #)',
    ],
  },
  {
    what: 'joints of a pose near a guess',
    of: 'motion',
    text: 'p50 # µs, p99 # µs',
    figures: ['inverse, guess within 0.2 rad, p50 (µs)', 'inverse, guess within 0.2 rad, p99 (µs)'],
  },
  {
    what: 'all joint solutions of a pose',
    of: 'motion',
    text: 'p50 # µs, p99 # µs, # missed',
    figures: [
      'inverse, all branches, p50 (µs)',
      'inverse, all branches, p99 (µs)',
      'inverse, all branches, misses of 3000 (poses)',
    ],
  },
  {
    what: 'a linear move past ten zones, planned and checked',
    of: 'motion',
    text: '# ms',
    figures: ['linear move: path, jerk-limited timing, 10 zones (ms, p50)'],
  },
  {
    what: 'plan of a workflow of 200 tasks',
    of: 'workflow',
    text: 'median # ms',
    figures: ['200 tasks, median (ms)'],
  },
  {
    what: 'six servos over TCP at 250 Hz, request to last answer',
    of: 'servo-cycle',
    text: 'p50 # ms, p99 # ms',
    figures: [
      'request to last reply p50 [#] ms, p99 # ms; period p99 # ms',
      'request to last reply p50 # ms, p99 [#] ms; period p99 # ms',
    ],
  },
];

const digits = (/** @type {number} */ value) => String(+value.toPrecision(3));

/** The medians of a figure, a column each. @param {Map<string, number>[][]} columns @param {string} name */
function mediansOf(columns, name) {
  return columns.map((rounds) => median(rounds.flatMap((round) => round.get(name) ?? [])));
}

/**
 * The lines of the table, of the benchmarks that were run, and the figures that are missing in the
 * last column: their benchmarks print another text now.
 * @param {Map<string, Map<string, number>[][]>} columnsOf the rounds of each column, by benchmark
 * @param {string} base the first commit
 */
export function tableOf(columnsOf, base) {
  const rows = [`| what | figure | × of ${base} | command |`, '| --- | --- | --- | --- |'];
  /** @type {string[]} */
  const missing = [];
  for (const { what, of, text, figures } of ROWS) {
    const columns = columnsOf.get(of);
    if (columns === undefined) continue;
    const values = figures.map((name) => mediansOf(columns, name));
    const latest = values.map((medians) => medians.at(-1) ?? Number.NaN);
    missing.push(...figures.filter((_, i) => Number.isNaN(latest[i])));
    const ratios = values.map(([first = Number.NaN], i) => {
      const ratio = /** @type {number} */ (latest[i]) / first;
      return Number.isFinite(ratio) ? ratio.toFixed(2) : '–';
    });
    let at = 0;
    const figure = text.replace(/#/g, () => digits(/** @type {number} */ (latest[at++])));
    rows.push(`| ${what} | ${figure} | ${ratios.join(', ')} | \`npm run bench ${of}\` |`);
  }
  return { rows, missing };
}

/** The page with the lines in place of those that were measured before. @param {string} page @param {readonly string[]} lines */
export function withMeasured(page, lines) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} lacks "${BEGIN}" and "${END}"`);
  return `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${after}`;
}
