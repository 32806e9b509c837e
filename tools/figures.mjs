/**
 * `npm run generate figures`: writes docs/figures.md and the table of README from
 * docs/figures/figures.json. With an id and a text, it first enters that figure with today's date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { figureProblems, figuresPage, readmeWith } from './figures/page.mjs';
import { writeFormatted } from './generate/formatted.mjs';

const SOURCE = 'docs/figures/figures.json';
/** @param {string} path */
const read = (path) => readFileSync(path, 'utf8');

/** @type {import('./figures/page.mjs').Figure[]} */
const figures = JSON.parse(read(SOURCE));
const [id, text] = process.argv.slice(2);
const entry = figures.find((one) => one.id === id);
if (id !== undefined && (entry === undefined || (text === undefined) !== 'from' in entry)) {
  const ids = figures.map((one) => ('from' in one ? one.id : `${one.id} TEXT`));
  console.error(`usage: npm run generate figures [-- ID TEXT], one of:\n  ${ids.join('\n  ')}`);
  process.exit(2);
}
if (entry !== undefined) {
  entry.date = new Date().toISOString().slice(0, 10);
  if (text !== undefined) entry.figure = text;
  writeFileSync(SOURCE, `${JSON.stringify(figures, null, 2)}\n`);
}
writeFormatted({
  'docs/figures.md': figuresPage(figures, read),
  'README.md': readmeWith(read('README.md'), figures, read),
});
const problems = figureProblems(figures, read);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
