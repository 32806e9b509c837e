/**
 * `npm run generate servo-failures`: writes the table of docs/hardware.md that says what an arm of
 * servos with factory gains does when a failure meets it in a motion. `--check` writes nothing and
 * fails when the table differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { failureRows, rowText } from '../bridge/servo-failures.cases.ts';

const PAGE = 'docs/hardware.md';
const BEGIN = '<!-- servo-failures: npm run generate servo-failures -->\n';
const END = '<!-- end of servo-failures -->';
const HEAD = [
  '| servos | failure | while | at rest after | travel | fastest | fault | motion by the reset |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
];

const page = readFileSync(PAGE, 'utf8');
const from = page.indexOf(BEGIN) + BEGIN.length;
const rows = (await failureRows()).map(rowText);
const table = `\n${[...HEAD, ...rows].join('\n')}\n\n`;
const made = page.slice(0, from) + table + page.slice(page.indexOf(END));
if (!process.argv.includes('--check')) writeFileSync(PAGE, made);
else if (made !== page) {
  console.error(`${PAGE} does not match the emulated servos; run npm run generate servo-failures`);
  process.exitCode = 1;
}
