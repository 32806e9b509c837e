/**
 * `npm run generate fleets`: writes the tables of docs/fleets.md from docs/figures/fleet.json and
 * docs/figures/rehearse.json, which `npm run bench fleet -- --json FILE` and
 * `npm run bench rehearse -- --json FILE` measure.
 */
import { readFileSync } from 'node:fs';
import { withTables } from './fleets/page.mjs';
import { writeFormatted } from './generate/formatted.mjs';

const PAGE = 'docs/fleets.md';
/** @param {string} name */
const figures = (name) => JSON.parse(readFileSync(`docs/figures/${name}.json`, 'utf8'));
const page = withTables(readFileSync(PAGE, 'utf8'), figures('fleet'), figures('rehearse'));
writeFormatted({ [PAGE]: page });
