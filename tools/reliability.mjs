/**
 * `npm run generate reliability`: writes docs/reliability.md from docs/figures/hard.json (`npm run
 * check robustness -- --json docs/figures/hard.json`) and docs/figures/protections.json (`npm run
 * check protections -- --json docs/figures/protections.json`). `--check` writes nothing and fails
 * when the page differs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pageOf } from './reliability/page.mjs';

const PAGE = 'docs/reliability.md';

/** @param {string} name */
const figures = (name) => JSON.parse(readFileSync(`docs/figures/${name}.json`, 'utf8'));

const page = pageOf({
  checks: figures('hard'),
  protections: figures('protections'),
  exists: existsSync,
});
if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error(`${PAGE} does not match its figures; run npm run generate reliability`);
  process.exitCode = 1;
}
