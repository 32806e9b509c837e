/**
 * `npm run generate goldens`: compares the builds of fixtures/toolpaths with the record in
 * fixtures/goldens. `--explain` prints the differences, `--write` updates the record.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { explainDifference, goldenOf } from '../physics/toolpath/golden.cases.ts';

const FOLDER = 'fixtures/toolpaths';
const RECORD = 'fixtures/goldens/toolpaths.json';

/** One line for each motion, so that a difference shows where it is. */
function textOf(goldens) {
  const entries = Object.entries(goldens).map(([name, { motions, ...rest }]) => {
    const head = JSON.stringify(rest, null, 4).slice(0, -2);
    const lines = motions.map((motion) => `      ${JSON.stringify(motion)}`).join(',\n');
    return `  ${JSON.stringify(name)}: ${head},\n    "motions": [\n${lines}\n    ]\n  }`;
  });
  return `{\n${entries.join(',\n')}\n}\n`;
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(RECORD, 'utf8'));
  } catch {
    return {};
  }
}

const options = process.argv.slice(2);
const record = readRecord();
const goldens = {};
let different = 0;
for (const name of readdirSync(FOLDER).sort()) {
  if (!name.endsWith('.json') || name.includes('format-1')) continue;
  const golden = goldenOf(JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')));
  goldens[name] = golden;
  const lines = explainDifference(record[name], golden);
  console.log(`${lines.length === 0 ? 'same     ' : 'different'} ${name}`);
  if (lines.length === 0) continue;
  different++;
  if (options.includes('--explain')) for (const line of lines) console.log(`  ${line}`);
}
if (options.includes('--write')) writeFileSync(RECORD, textOf(goldens));
else if (different > 0) process.exitCode = 1;
