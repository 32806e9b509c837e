/**
 * `npm run generate conformance`: runs `armtwin verify` against the built program in both dialects
 * and writes docs/evidence/conformance.md from the results. Exit code 1 when a rule is broken.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { conformancePage } from './conformance/page.mjs';
import { ensureProgram, launch, readyUrl, violationsOf } from './setup/start.mjs';

const PAGE = 'docs/evidence/conformance.md';
const TOKEN = 'conformance-token';
const DIALECTS = ['documented', 'fielded'];

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

/** @param {string} dialect */
async function outcomesIn(dialect) {
  const flags = ['--port', '0', '--token', TOKEN, '--driver', 'fast', '--clock', 'stepped'];
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
    return Object.fromEntries(rules.map(({ id, outcome }) => [id, outcome]));
  } finally {
    server.kill('SIGTERM');
  }
}

async function main() {
  if (!(await ensureProgram())) return 1;
  const outcomes = {};
  for (const dialect of DIALECTS) outcomes[dialect] = await outcomesIn(dialect);
  const { RULES } = await built('catalogue.js');
  const { UNPROVEN } = await built('unproven.js');
  const parts = { rules: RULES, outcomes, unproven: UNPROVEN };
  writeFileSync(PAGE, conformancePage(parts));
  const all = Object.values(outcomes).flatMap((byRule) => Object.values(byRule));
  console.log(`wrote ${PAGE}`);
  return all.includes('broken') ? 1 : 0;
}

process.exitCode = await main();
