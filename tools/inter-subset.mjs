/**
 * Makes viewer/styles/inter/first.woff2: Inter with the characters that the page itself writes
 * (`unicodeRange` of first.json), its weights from 400 to 700 and the features of base.css. It is a
 * third of the file that it is cut from, and comes with the first script. Run it manually when a
 * character is added or Inter is updated:
 *
 *   npm install --ignore-scripts --prefix FOLDER subset-font@2.9.0
 *   npm run generate inter-subset -- FOLDER
 *
 * subset-font (BSD-3-Clause) cuts with HarfBuzz. Inter is under the SIL Open Font License, which
 * lies beside the file; contextual alternates are left out: their glyphs are a quarter of the file.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = 'viewer/styles/inter';
const SOURCE = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
const FEATURES = ['kern', 'ccmp', 'locl', 'mark', 'mkmk', 'rlig', 'tnum', 'cv05', 'ss03'];

/** The characters of ranges as CSS writes them. @param {string} ranges */
function charactersOf(ranges) {
  return ranges.split(', ').flatMap((range) => {
    const [first = 0, last = first] = range
      .replace('U+', '')
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
  });
}

/** @param {string} packages folder with subset-font */
async function makeSubset(packages) {
  const entry = createRequire(join(resolve(packages), 'package.json')).resolve('subset-font');
  const { default: subsetFont } = await import(pathToFileURL(entry).href);
  const { unicodeRange } = JSON.parse(readFileSync(`${FOLDER}/first.json`, 'utf8'));
  const font = await subsetFont(readFileSync(SOURCE), charactersOf(unicodeRange).join(''), {
    targetFormat: 'woff2',
    keepFeatures: FEATURES,
    variationAxes: { wght: { min: 400, max: 700 } },
  });
  const digest = createHash('sha256').update(unicodeRange).update(font).digest('hex');
  writeFileSync(`${FOLDER}/first.woff2`, font);
  writeFileSync(`${FOLDER}/first.json`, `${JSON.stringify({ unicodeRange, digest }, null, 2)}\n`);
  process.stdout.write(`${FOLDER}/first.woff2: ${font.length} bytes\n`);
}

const [packages] = process.argv.slice(2);
if (packages === undefined) {
  process.stderr.write(
    'usage: npm run generate inter-subset -- FOLDER, after\n  npm install --ignore-scripts --prefix FOLDER subset-font@2.9.0\n',
  );
  process.exitCode = 2;
} else await makeSubset(packages);
