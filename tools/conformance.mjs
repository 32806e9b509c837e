/**
 * `npm run generate conformance`: runs `armtwin verify` against the built program in both dialects
 * and writes docs/evidence/conformance.md from the results. Exit code 1 when a rule is broken.
 * With `-- --arm NAME [--driver fast|rapier]` the rules run once over another arm, and nothing is
 * written: rules that state numbers of the default arm are named with them.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { conformancePage } from './conformance/page.mjs';
import { ensureProgram, launch, readyUrl, violationsOf } from './setup/start.mjs';

const PAGE = 'docs/evidence/conformance.md';
const TOKEN = 'conformance-token';
const DIALECTS = ['documented', 'fielded'];
/** Rules that state numbers of the default arm, each with the numbers. */
const OF_DEFAULT_ARM = 'tools/conformance/of-default-arm.json';

/** @param {string} path */
const built = (path) => import(pathToFileURL(`dist/conformance/${path}`).href);

/** The JSON report of `armtwin verify`. @param {string[]} args */
function verify(args) {
  const all = ['dist/server/main.js', 'verify', ...args];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 2)
        reject(new Error('armtwin verify could not run the suite; see its message above'));
      else resolve(JSON.parse(said));
    });
  });
}

/**
 * The results of the rules in a dialect, against a twin with these flags.
 * @param {string} dialect
 * @param {string[]} armFlags
 */
async function resultsIn(dialect, armFlags) {
  const flags = ['--port', '0', '--token', TOKEN, '--clock', 'stepped', ...armFlags];
  const { ALLOWED_PAGE } = await built('allowed-page.js');
  const origins = dialect === 'documented' ? ['--allow-origin', ALLOWED_PAGE] : [];
  const more = ['--dialect', dialect, '--log-level', 'silent', ...origins];
  const server = launch([...flags, ...more], ['ignore', 'pipe', 'pipe']);
  try {
    const url = await readyUrl(server);
    const args = [url, '--token', TOKEN, '--dialect', dialect, '--update', '--json'];
    const { rules } = await verify(args);
    const violations = await violationsOf(url);
    if (violations.length > 0) throw new Error(`the twin reported: ${violations.join(', ')}`);
    return rules;
  } finally {
    server.kill('SIGTERM');
  }
}

/**
 * Runs the rules over another arm than the default one, and says which do not hold and why.
 * @param {string} arm
 * @param {string} driver
 */
async function verifyArm(arm, driver) {
  const stated = JSON.parse(readFileSync(OF_DEFAULT_ARM, 'utf8'));
  const results = await resultsIn('documented', ['--arm', arm, '--driver', driver]);
  let failed = 0;
  for (const { id, outcome, reason } of results) {
    const why = stated[id];
    if (outcome === 'broken' && why !== undefined) console.log(`not for ${arm}: ${id}: ${why}`);
    else if (outcome === 'broken') {
      failed += 1;
      console.log(`broken: ${id}: ${reason}`);
    }
  }
  const count = (/** @type {string} */ wanted) =>
    results.filter((/** @type {{outcome: string}} */ { outcome }) => outcome === wanted).length;
  const others = `${count('broken') - failed} state numbers of the default arm`;
  const counts = `${count('held')} of ${results.length} rules held, ${count('skipped')} skipped`;
  console.log(`${arm}, plant ${driver}: ${counts}, ${others}, ${failed} broken`);
  return failed > 0 ? 1 : 0;
}

async function main() {
  const { values } = parseArgs({
    options: { arm: { type: 'string' }, driver: { type: 'string', default: 'fast' } },
  });
  if (!(await ensureProgram())) return 1;
  if (values.arm !== undefined) return verifyArm(values.arm, values.driver);
  const outcomes = {};
  for (const dialect of DIALECTS) {
    const rules = await resultsIn(dialect, ['--driver', 'fast']);
    outcomes[dialect] = Object.fromEntries(rules.map(({ id, outcome }) => [id, outcome]));
  }
  const { RULES } = await built('catalogue.js');
  const { UNPROVEN } = await built('unproven.js');
  const parts = { rules: RULES, outcomes, unproven: UNPROVEN };
  writeFileSync(PAGE, conformancePage(parts));
  const all = Object.values(outcomes).flatMap((byRule) => Object.values(byRule));
  console.log(`wrote ${PAGE}`);
  return all.includes('broken') ? 1 : 0;
}

process.exitCode = await main();
