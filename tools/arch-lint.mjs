/**
 * Checks the architecture rules that a machine can check. Prints `ok <rule> (<count>)` for each
 * rule, or the problems with what to do. A rule that checked nothing fails.
 */
import { bans } from './arch-lint/bans.mjs';
import { capacities } from './arch-lint/capacities.mjs';
import { citations } from './arch-lint/citations.mjs';
import { generatedFiles } from './arch-lint/generated-files.mjs';
import { cycles } from './arch-lint/graph.mjs';
import {
  currentTables,
  importDirections,
  nodeModules,
  packageOwners,
} from './arch-lint/imports.mjs';
import { portSuites } from './arch-lint/port-suites.mjs';
import { bodyFields, routesHaveRules } from './arch-lint/routes.mjs';
import { readTree } from './arch-lint/tree.mjs';

/**
 * @typedef {import('./arch-lint/tree.mjs').Tree} Tree
 * @typedef {{ checked: number, problems: string[] }} Finding
 * @typedef {{ name: string, check: (tree: Tree) => Finding | Promise<Finding> }} Rule
 */

/** @type {Rule[]} */
const RULES = [
  { name: 'import directions', check: importDirections },
  { name: 'import tables', check: currentTables },
  { name: 'package owners', check: packageOwners },
  { name: 'no Node modules', check: nodeModules },
  { name: 'no runtime cycles', check: cycles },
  { name: 'banned constructs', check: bans },
  { name: 'shared capacities', check: (tree) => capacities(tree) },
  { name: 'generated files', check: generatedFiles },
  { name: 'routes have rules', check: routesHaveRules },
  { name: 'request fields', check: bodyFields },
  { name: 'port suites', check: portSuites },
  { name: 'citations', check: citations },
];

process.chdir(new URL('..', import.meta.url).pathname);
const tree = readTree(process.cwd());
const findings = await Promise.all(
  RULES.map(async (rule) => ({ name: rule.name, ...(await rule.check(tree)) })),
);

let failed = 0;
for (const { name, checked, problems } of findings) {
  if (checked === 0) problems.push('nothing was checked; the rule proves nothing');
  if (problems.length > 0) failed++;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${checked})`);
  for (const problem of problems) console.log(`     ${problem}`);
}
console.log(`${findings.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
