/**
 * Figures in the output of a benchmark, whatever it prints: the numbers of a line, named by the
 * text around them. So earlier commits need no format of their own to be compared.
 */

const NUMBER = /(?:(?<=^|\s)-)?(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;
/** Columns of a table that are not measured. */
const GOAL = /^(.*\S) +(\S+) +\S+ +(?:yes|NO)(?: +\S+)?$/;

/**
 * The figures of an output by their names: the text of the line with `#` for each number, which of
 * the lines with this text it is, and which of its numbers.
 * @param {string} output
 * @returns {Map<string, number>}
 */
export function figuresOf(output) {
  /** @type {Map<string, number>} */
  const figures = new Map();
  /** @type {Map<string, number>} */
  const seen = new Map();
  for (const raw of output.split('\n')) {
    const [, what, measured] = GOAL.exec(raw.trimEnd()) ?? [];
    if (what !== undefined) {
      figures.set(what.trim(), Number(measured));
      continue;
    }
    const line = raw.trim().replace(/ +/g, ' ');
    const text = line.replace(NUMBER, '#');
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    const values = line.match(NUMBER) ?? [];
    values.forEach((value, i) => {
      const which = count > 1 ? ` (${count})` : '';
      figures.set(`${markedAt(text, i)}${which}`, Number(value));
    });
  }
  return figures;
}

/** The text with its number `which` in brackets. @param {string} text @param {number} which */
function markedAt(text, which) {
  let at = 0;
  return text.replace(/#/g, () => (at++ === which ? '[#]' : '#'));
}

/** The middle of the values; NaN of none. @param {number[]} values */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * One row for each figure that two columns have and that is not the same number everywhere, as
 * settings are: the medians over the rounds, NaN where a column has none, and their ratios to the
 * first that there is.
 * @param {Map<string, number>[][]} columns the rounds of each column
 * @returns {{ name: string, medians: number[], ratios: number[] }[]}
 */
export function compareFigures(columns) {
  const names = new Set(columns.flat().flatMap((round) => [...round.keys()]));
  return [...names].flatMap((name) => {
    const rounds = columns.map((column) => column.flatMap((round) => round.get(name) ?? []));
    const all = rounds.flat();
    if (rounds.filter((values) => values.length > 0).length < 2) return [];
    if (all.every((value) => value === all[0])) return [];
    const medians = rounds.map(median);
    const first = medians.find((value) => !Number.isNaN(value)) ?? Number.NaN;
    return [{ name, medians, ratios: medians.map((value) => value / first) }];
  });
}
