/**
 * `npm run generate servo-failures`: writes the table of docs/evidence/servo-failures.md that says what an arm of
 * servos with factory gains does when a failure meets it in a motion. `--check` writes nothing and
 * fails when the table differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { failureRows, rowText } from '../bridge/servo/servo-failures.cases.ts';

const PAGE = 'docs/evidence/servo-failures.md';
const BEGIN = '<!-- servo-failures: npm run generate servo-failures -->\n';
const END = '<!-- end of servo-failures -->';
const HEAD =
  '| servos | failure | while | at rest after | travel | fastest | fault | motion by the reset |';

/**
 * Rows of a table with columns of equal width.
 * @param {readonly string[]} rows
 */
function aligned(rows) {
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const widths = cells[0].map((_, i) => Math.max(...cells.map((row) => row[i].length)));
  const lines = cells.map((row) => row.map((cell, i) => cell.padEnd(widths[i])));
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const page = readFileSync(PAGE, 'utf8');
const from = page.indexOf(BEGIN) + BEGIN.length;
const rows = (await failureRows()).map(rowText);
const table = `\n${aligned([HEAD, ...rows])}\n\n`;
const made = page.slice(0, from) + table + page.slice(page.indexOf(END));
if (!process.argv.includes('--check')) writeFileSync(PAGE, made);
else if (made !== page) {
  console.error(`${PAGE} does not match the emulated servos; run npm run generate servo-failures`);
  process.exitCode = 1;
}
