/**
 * Proves the rules of the house that a machine can prove. Each rule prints `ok <rule> (<n>)` or
 * what is wrong and what to do instead; a rule that found nothing to check has failed, for it
 * proves nothing. `--lower` writes improvements into tools/tidy/ratchet.json.
 */
import { bans, promises } from './tidy/bans.mjs';
import { generatedDrift } from './tidy/generated.mjs';
import { cycles, deadFiles } from './tidy/graph.mjs';
import { browserRooms, importDirections, oneHome } from './tidy/imports.mjs';
import { docstrings, headComments, names } from './tidy/papers.mjs';
import { compare, lowered, readRatchet, writeRatchet } from './tidy/ratchet.mjs';
import { routesHaveRules } from './tidy/rows.mjs';
import { fileSizes, functionSizes, lineWidths, parameterCounts } from './tidy/sizes.mjs';
import { readTree } from './tidy/tree.mjs';

/**
 * @typedef {import('./tidy/tree.mjs').Tree} Tree
 * @typedef {import('./tidy/sizes.mjs').Places} Places
 * @typedef {{ checked: number, problems?: string[], places?: Places }} Finding
 * @typedef {{ name: string, check: (tree: Tree) => Finding | Promise<Finding> }} Rule
 */

/** @type {Rule[]} */
const RULES = [
  { name: 'import directions', check: importDirections },
  { name: 'one home a package', check: oneHome },
  { name: 'browser rooms', check: browserRooms },
  { name: 'no runtime cycles', check: cycles },
  { name: 'no dead files', check: deadFiles },
  { name: 'file sizes', check: fileSizes },
  { name: 'function sizes', check: functionSizes },
  { name: 'parameters', check: parameterCounts },
  { name: 'line widths', check: lineWidths },
  { name: 'names', check: names },
  { name: 'head comments', check: headComments },
  { name: 'docstrings', check: docstrings },
  { name: 'bans', check: bans },
  { name: 'no promises', check: promises },
  { name: 'generated files', check: generatedDrift },
  { name: 'routes have rules', check: routesHaveRules },
];

const RATCHET = 'tools/tidy/ratchet.json';
const lower = process.argv.includes('--lower');

process.chdir(new URL('..', import.meta.url).pathname);
const tree = readTree(process.cwd());
const ratchet = readRatchet(RATCHET);
const findings = await Promise.all(
  RULES.map(async (rule) => ({ name: rule.name, ...(await rule.check(tree)) })),
);

let failed = 0;
for (const { name, checked, problems = [], places } of findings) {
  if (places !== undefined && lower) ratchet[name] = lowered(ratchet[name], places);
  if (places !== undefined) problems.push(...compare(ratchet[name] ?? {}, places));
  if (checked === 0) problems.push('found nothing to check, so it proves nothing');
  if (problems.length > 0) failed++;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${checked})`);
  for (const problem of problems) console.log(`     ${problem}`);
}
if (lower) writeRatchet(RATCHET, ratchet);
console.log(`${findings.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
