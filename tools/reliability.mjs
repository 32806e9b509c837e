/**
 * `npm run generate reliability`: writes docs/reliability.md from docs/figures. hard.json is from
 * `npm run check robustness -- --json FILE`, protections.json from `npm run check protections --
 * --json FILE`, tick-isolation.json from `npm run bench tick-isolation -- --json FILE`,
 * limits.json from the slow test of limits with LIMITS_JSON=FILE, and mutations.json from
 * `npm run check mutations`. `--check` writes nothing and
 * fails when the page differs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pageOf } from './reliability/page.mjs';

const PAGE = 'docs/reliability.md';

/** @param {string} name */
const figures = (name) => JSON.parse(readFileSync(`docs/figures/${name}.json`, 'utf8'));

const page = pageOf({
  checks: figures('hard'),
  protections: figures('protections'),
  limits: figures('limits'),
  isolation: figures('tick-isolation'),
  mutations: figures('mutations'),
  exists: existsSync,
});
if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error(`${PAGE} does not match its figures; run npm run generate reliability`);
  process.exitCode = 1;
}
