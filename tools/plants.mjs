/**
 * `npm run generate plants`: writes the tables of docs/plants.md, scenes of a cell by hand, on both
 * plants and in MuJoCo, and of docs/evidence/falls.md, the drawn falls that end apart. `--check` writes
 * nothing and fails when a table differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fallRows, sceneRows } from '../physics/cell/agreement/matrix.cases.ts';

const PAGES = ['docs/plants.md', 'docs/evidence/falls.md'];
const BLOCK = /(<!-- plants: (\S+) -->\n)[\s\S]*?(<!-- end of \2 -->)/g;

/**
 * A table with columns of equal width.
 * @param {readonly (readonly string[])[]} rows the first is the head
 */
function aligned(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i])));
  const rule = widths.map((width) => '-'.repeat(width));
  const [head, ...rest] = lines;
  return [head, rule, ...rest].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** @type {Record<string, string>} */
const tables = { scenes: aligned(await sceneRows()), falls: aligned(fallRows()) };
for (const path of PAGES) {
  const page = readFileSync(path, 'utf8');
  const made = page.replace(BLOCK, (_, begin, name, end) => `${begin}\n${tables[name]}\n\n${end}`);
  if (!process.argv.includes('--check')) writeFileSync(path, made);
  else if (made !== page) {
    console.error(`${path} does not match the plants; run npm run generate plants`);
    process.exitCode = 1;
  }
}
