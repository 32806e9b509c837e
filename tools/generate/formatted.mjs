/** Writing of generated documents in the format that `npm run lint` asks for. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const FORMAT = ['format', '--write', '--no-errors-on-unmatched'];
const BIOME = ['node_modules/@biomejs/biome/bin/biome', ...FORMAT];

/**
 * Writes the documents and formats those that the linter looks at: their tables are aligned
 * whatever the cells hold.
 * @param {Record<string, string>} documents text by path
 */
export function writeFormatted(documents) {
  for (const [path, text] of Object.entries(documents)) writeFileSync(path, text);
  execFileSync(process.execPath, [...BIOME, ...Object.keys(documents)], { stdio: 'ignore' });
}
