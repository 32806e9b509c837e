/**
 * `npm run generate fleets`: writes the tables of docs/fleets.md from docs/figures/fleet.json,
 * which `npm run bench fleet -- --json docs/figures/fleet.json` measures.
 */
import { readFileSync } from 'node:fs';
import { withTables } from './fleets/page.mjs';
import { writeFormatted } from './generate/formatted.mjs';

const PAGE = 'docs/fleets.md';
const costs = JSON.parse(readFileSync('docs/figures/fleet.json', 'utf8'));
writeFormatted({ [PAGE]: withTables(readFileSync(PAGE, 'utf8'), costs) });
