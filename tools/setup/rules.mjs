/**
 * Runs the conformance suite (contract/rules) against the built program over HTTP. Arm time runs
 * faster than wall time: two programs at pace 10, the second one for rules that mostly wait, one
 * at pace 200 for rules of more than 400 s, and one in real time for each rule that needs wall
 * time. rules-not-held.json lists rules that do not hold, rule-coverage.json the request fields and
 * errors that no rule exercises; both lists can only shrink.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { coverageProblems, createRuleCoverage } from './rule-coverage.mjs';
import { ensureProgram, launch, readyUrl, violationsOf } from './start.mjs';

const NOT_HELD = 'tools/setup/rules-not-held.json';
const NOT_EXERCISED = 'tools/setup/rule-coverage.json';
const TOKEN = 'rules-token';
const NORMAL = { pace: 10, ruleLimit_s: 400 };
/** For rules that wait longer (s of arm time), beside the others: they wait half a minute. */
const WAITING = { ...NORMAL };
const WAITING_FROM_S = 20;
const FAST = { pace: 200, ruleLimit_s: 4000 };
const WALL = { pace: 1, ruleLimit_s: 400 };

/**
 * @typedef {{ armTime_s?: number, wallTime_s?: number }} Needs
 * @typedef {{ id: string, statement: string, needs?: Needs }} Rule
 * @typedef {{ rule: Rule, outcome: 'held' | 'broken' | 'skipped', reason: string }} Result
 * @typedef {{ pace: number, ruleLimit_s: number }} Tempo
 * @typedef {import('./test-counts.mjs').Counts} Counts
 * @typedef {{ counts: Counts, lines: string[], broken: string[] }} Verdict
 */

/** @param {string} path */
function fromBuild(path) {
  return import(pathToFileURL(`dist/contract/rules/${path}`).href);
}

/** Route, schema and error tables of the built program. */
async function builtContract() {
  const files = ['../routes.js', '../schemas.js', '../errors.js'];
  const [{ ROUTES }, { schemaOf }, errors] = await Promise.all(files.map(fromBuild));
  return { ROUTES, schemaOf, ERROR_ROWS: errors.ERROR_ROWS, errorNamed: errors.errorNamed };
}

/** Raw TCP for rules, from the built program. */
export async function builtRawTcp() {
  return (await import(pathToFileURL('dist/server/cli/commands/verify.js').href)).rawTcp;
}

/**
 * The results, and a broken one for each statement that the monitor of the program found violated.
 * @param {Result[]} results
 * @param {string[]} violations
 * @returns {Result[]}
 */
export function withViolations(results, violations) {
  const rule = { id: 'monitor', statement: 'No statement about state and motion is violated.' };
  const broken = violations.map((reason) => ({
    rule,
    outcome: /** @type {const} */ ('broken'),
    reason,
  }));
  return [...results, ...broken];
}

/**
 * Runs rules against a new program.
 * @param {Rule[]} rules
 * @param {Tempo} tempo
 * @param {typeof fetch} recordingFetch
 * @returns {Promise<Result[]>}
 */
async function runAt(rules, { pace, ruleLimit_s }, recordingFetch) {
  const [{ runRules }, { WebSocket }] = await Promise.all([fromBuild('runner.js'), import('ws')]);
  const [{ ALLOWED_PAGE }, rawTcp] = await Promise.all([fromBuild('data-rules.js'), builtRawTcp()]);
  const flags = ['--port', '0', '--token', TOKEN, '--driver', 'fast', '--log-level', 'silent'];
  const more = ['--clock', String(pace), '--allow-origin', ALLOWED_PAGE];
  const child = launch([...flags, ...more], ['ignore', 'pipe', 'pipe']);
  try {
    const baseUrl = await readyUrl(child);
    const results = await runRules(rules, {
      baseUrl,
      token: TOKEN,
      WebSocket,
      rawTcp,
      fetch: recordingFetch,
      ruleLimit_s,
      update: true,
      settle: (/** @type {number} */ duration_s) => wait((duration_s * 1000) / pace),
    });
    return withViolations(results, await violationsOf(baseUrl));
  } finally {
    child.kill('SIGTERM');
  }
}

/**
 * Counts the results and formats a line for each problem. A listed rule that does not hold is
 * skipped with its reason. A listed rule that holds, or a listed id without a rule, fails.
 * @param {Result[]} results
 * @param {string[]} notHeld
 * @returns {Verdict}
 */
export function judge(results, notHeld) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const lines = [];
  for (const { rule, outcome, reason } of results) {
    const known = notHeld.includes(rule.id);
    if (outcome === 'held' && known) {
      lines.push(
        `FAIL ${rule.id}: the rule holds now; remove it from the list: npm run rules -- --lower`,
      );
    } else if (outcome === 'broken' && !known) {
      lines.push(`FAIL ${rule.id}: ${rule.statement}\n     ${reason}`);
    } else if (outcome !== 'held') lines.push(`skip ${rule.id}: ${reason}`);
    const failed = outcome === 'held' ? known : outcome === 'broken' && !known;
    counts[failed ? 'failed' : outcome === 'held' ? 'passed' : 'skipped']++;
  }
  const ids = new Set(results.map(({ rule }) => rule.id));
  const lost = notHeld.filter((id) => !ids.has(id));
  lines.push(
    ...lost.map((id) => `FAIL ${id}: no such rule; remove it from tools/setup/rules-not-held.json`),
  );
  counts.failed += lost.length;
  const broken = results.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule.id);
  return { counts, lines, broken };
}

/** @returns {Promise<Verdict>} */
async function verdict() {
  const { RULES } = await fromBuild('catalogue.js');
  /** @param {Rule} rule */
  const tempoOf = ({ needs }) => {
    if (needs?.wallTime_s !== undefined) return WALL;
    const armTime_s = needs?.armTime_s ?? 0;
    if (armTime_s > NORMAL.ruleLimit_s) return FAST;
    return armTime_s > WAITING_FROM_S ? WAITING : NORMAL;
  };
  /** @param {Tempo} tempo @returns {Rule[]} */
  const rulesAt = (tempo) => RULES.filter((/** @type {Rule} */ rule) => tempoOf(rule) === tempo);
  const contract = await builtContract();
  const { fetch: recordingFetch, exercised } = createRuleCoverage(contract);
  const runs = [NORMAL, WAITING, FAST].map((tempo) => runAt(rulesAt(tempo), tempo, recordingFetch));
  const alone = rulesAt(WALL).map((rule) => runAt([rule], WALL, recordingFetch));
  const results = await Promise.all([...runs, ...alone]);
  const judged = judge(results.flat(), JSON.parse(readFileSync(NOT_HELD, 'utf8')));
  const listed = JSON.parse(readFileSync(NOT_EXERCISED, 'utf8'));
  const problems = coverageProblems(contract, exercised, listed);
  judged.lines.push(...problems);
  judged.counts.failed += problems.length;
  return judged;
}

/**
 * The stage `rules` of `npm test`; needs a build.
 * @returns {Promise<import('./stages.mjs').Outcome>}
 */
export async function checkRules() {
  const begin = performance.now();
  const { counts, lines } = await verdict();
  return { counts, output: lines.join('\n'), seconds: (performance.now() - begin) / 1000 };
}

/** @param {string[]} flags */
export async function rules(flags) {
  if (!(await ensureProgram())) return 1;
  const { counts, lines, broken } = await verdict();
  if (flags.includes('--lower')) {
    /** @type {string[]} */
    const before = JSON.parse(readFileSync(NOT_HELD, 'utf8'));
    const kept = before.filter((id) => broken.includes(id));
    writeFileSync(NOT_HELD, `${JSON.stringify(kept, null, 2)}\n`);
  }
  console.log(lines.join('\n'));
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 ? 0 : 1;
}
