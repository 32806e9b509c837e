/** Formats docs/figures.md and the table of README from docs/figures/figures.json. */
import { mutationFigure } from '../reliability/page.mjs';

/**
 * @typedef {{ id: string, what: string, figure?: string, from?: string, date: string,
 *   command: string, readme?: boolean, quoted?: { page: string, text: string }[] }} Figure
 *   `from`: a record that has the figure, in place of `figure`
 */

const START = '<!-- figures: written by npm run generate figures -->\n';
const END = '<!-- end -->';

const HEAD = `# Figures

Every measured figure of these documents, from \`docs/figures/figures.json\`, written by
\`npm run generate figures\`. Timings are of a quiet machine with two cores.
\`npm run generate figures -- ID "TEXT"\` enters a new figure with today's date; a test compares the
README and the pages that quote a figure. Other measurements have pages of their own:
[conformance](conformance.md), [reliability](reliability.md), [fleets](fleets.md),
[clients](clients.md).

`;

/**
 * The text of a figure that a record has.
 * @param {string} path of the record
 * @param {string} text of the record
 */
function recorded(path, text) {
  if (path.endsWith('hard.json')) {
    /** @type {{ holds: boolean }[]} */
    const checks = JSON.parse(text);
    const held = checks.filter(({ holds }) => holds).length;
    return `${held} of ${checks.length} goals: [reliability](reliability.md)`;
  }
  if (path.endsWith('mutations.json')) {
    return `${mutationFigure(JSON.parse(text))}: [reliability](reliability.md#mutation-testing)`;
  }
  const rows = [...text.matchAll(/^\| (?:documented|fielded) +\| (\d+ of \d+)/gm)];
  const [first] = rows.map(([, held]) => held);
  if (rows.length !== 2 || rows.some(([, held]) => held !== first)) {
    throw new Error(`${path} must have one figure for both dialects`);
  }
  return `${first}, in both dialects: [conformance](conformance.md)`;
}

/** @param {Figure} figure @param {(path: string) => string} read */
function textOf({ id, figure, from }, read) {
  const text = from === undefined ? figure : recorded(from, read(from));
  if (text === undefined) throw new Error(`${id} has neither a figure nor a record`);
  return text;
}

/** @param {string[][]} rows */
const table = ([head = [], ...rows]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/**
 * The page. @param {Figure[]} figures @param {(path: string) => string} read
 */
export function figuresPage(figures, read) {
  const rows = figures.map((one) => {
    const pages = (one.quoted ?? []).map(({ page }) => page.replace('docs/', ''));
    const places = [
      ...(one.readme ? ['[README](../README.md)'] : []),
      ...pages.map((page) => `[${page}](${page})`),
    ];
    return [
      `\`${one.id}\``,
      one.what,
      textOf(one, read),
      one.date,
      `\`${one.command}\``,
      places.join(', '),
    ];
  });
  return HEAD + table([['id', 'what', 'figure', 'measured', 'command', 'stands in'], ...rows]);
}

/**
 * The README with its table. @param {string} readme
 * @param {Figure[]} figures @param {(path: string) => string} read
 */
export function readmeWith(readme, figures, read) {
  const [before, rest = ''] = readme.split(START);
  const after = rest.slice(rest.indexOf(END));
  if (!after.startsWith(END)) throw new Error(`README.md lacks ${START.trim()} … ${END}`);
  const rows = figures
    .filter(({ readme: isShown }) => isShown)
    .map((one) => {
      const text = textOf(one, read).replaceAll('](', '](docs/');
      return [one.what, text, one.date, `\`${one.command}\``];
    });
  return `${before}${START}${table([['what', 'figure', 'measured', 'command'], ...rows])}${after}`;
}

/**
 * Sentences about figures that a page quotes otherwise, and figures without a date.
 * @param {Figure[]} figures @param {(path: string) => string} read
 */
export function figureProblems(figures, read) {
  const ids = figures.map(({ id }) => id);
  return figures.flatMap(({ id, date, quoted = [] }, at) => [
    ...(ids.indexOf(id) === at ? [] : [`${id} is there twice`]),
    ...(/^\d{4}-\d\d-\d\d$/.test(date) ? [] : [`${id} has no date`]),
    ...quoted
      .filter(({ page, text }) => !read(page).includes(text))
      .map(({ page, text }) => `${page} does not say "${text.replace('\n', ' ')}" (${id})`),
  ]);
}
