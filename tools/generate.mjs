/**
 * `npm run generate`: writes the generated files: types from contract/schema, the calls
 * of the typed client, the tables of docs/reference, and the recorded examples
 * without those that no longer fit. `--check` writes nothing and fails when a file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CALLS_FILE, clientCalls } from './generate/client-calls.mjs';
import { currentExamples, EXAMPLES_FILE } from './generate/examples.mjs';
import { referencePages } from './generate/reference.mjs';
import { schemaTypes, TYPES_FILE } from './generate/schema.mjs';

const check = process.argv.includes('--check');
let stale = 0;

/**
 * @param {string} path
 * @param {string} text
 */
function emit(path, text) {
  let now = '';
  try {
    now = readFileSync(path, 'utf8');
  } catch {}
  if (now === text) return;
  stale++;
  if (!check) writeFileSync(path, text);
  console.log(`${check ? 'stale' : 'wrote'} ${path}`);
}

emit(TYPES_FILE, await schemaTypes());
emit(CALLS_FILE, await clientCalls());
for (const [path, text] of await referencePages()) emit(path, text);
emit(EXAMPLES_FILE, await currentExamples());

if (check && stale > 0) process.exit(1);
