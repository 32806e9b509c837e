/**
 * Runs the conformance suite (conformance) against the built program over HTTP. One program has
 * the stepped clock, so that the load of the machine changes no outcome; each rule that needs wall
 * time has a program with a slow clock. rules-not-held.json lists rules that do not hold,
 * rule-coverage.json the request fields and errors that no rule exercises; both can only shrink.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { coverageProblems, createRuleCoverage } from './rule-coverage.mjs';
import { ensureProgram, launch, readyUrl, violationsOf } from './start.mjs';

const NOT_HELD = 'tools/setup/rules-not-held.json';
const NOT_EXERCISED = 'tools/setup/rule-coverage.json';
const TOKEN = 'rules-token';

/**
 * @typedef {{ armTime_s?: number, wallTime_s?: number }} Needs
 * @typedef {{ id: string, statement: string, needs?: Needs }} Rule
 * @typedef {{ rule: Rule, outcome: 'held' | 'broken' | 'skipped', reason: string }} Result
 * @typedef {import('./test-counts.mjs').Counts} Counts
 * @typedef {{ counts: Counts, lines: string[], broken: string[] }} Verdict
 */

/** @param {string} path */
function fromBuild(path) {
  return import(pathToFileURL(`dist/${path}`).href);
}

/** Route, schema and error tables of the built program. */
async function builtContract() {
  const files = ['contract/routes.js', 'contract/schemas.js', 'contract/errors.js'];
  const [{ ROUTES }, { schemaOf }, errors] = await Promise.all(files.map(fromBuild));
  return { ROUTES, schemaOf, ERROR_ROWS: errors.ERROR_ROWS, errorNamed: errors.errorNamed };
}

/** Raw TCP for rules, from the built program. */
export async function builtRawTcp() {
  return (await fromBuild('server/cli/commands/raw-tcp.js')).rawTcp;
}

/**
 * A function that advances the arm time of a program.
 * @param {string} baseUrl
 * @returns {Promise<(seconds: number) => Promise<void>>}
 */
async function advanceOf(baseUrl) {
  const { connect } = await fromBuild('contract/client.js');
  const client = connect({ baseUrl, token: TOKEN });
  return (seconds) => client.advanceClock({ seconds });
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

/** How a twin keeps time; the rules advance the stepped clock themselves. */
const STEPPED = 'stepped';
/** Rules wait in wall time, so a slow clock serves them and leaves the processor to others. */
const SLOW_CLOCK = '0.05';

const waitSeconds = (/** @type {number} */ seconds) => wait(seconds * 1000);

/**
 * Runs rules against a new program.
 * @param {Rule[]} rules
 * @param {typeof STEPPED | typeof SLOW_CLOCK} clock
 * @param {typeof fetch} recordingFetch
 * @returns {Promise<Result[]>}
 */
async function runAt(rules, clock, recordingFetch) {
  const [{ runRules }, { WebSocket }] = await Promise.all([
    fromBuild('conformance/runner.js'),
    import('ws'),
  ]);
  const [{ ALLOWED_PAGE }, rawTcp] = await Promise.all([
    fromBuild('conformance/allowed-page.js'),
    builtRawTcp(),
  ]);
  const flags = ['--port', '0', '--token', TOKEN, '--driver', 'fast', '--log-level', 'silent'];
  const more = ['--clock', clock, '--allow-origin', ALLOWED_PAGE];
  const child = launch([...flags, ...more], ['ignore', 'pipe', 'pipe']);
  try {
    const baseUrl = await readyUrl(child);
    const results = await runRules(rules, {
      baseUrl,
      token: TOKEN,
      WebSocket,
      rawTcp,
      fetch: recordingFetch,
      ruleLimit_s: Number.POSITIVE_INFINITY,
      update: true,
      settle: clock === STEPPED ? await advanceOf(baseUrl) : waitSeconds,
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
  const { RULES } = await fromBuild('conformance/catalogue.js');
  /** @param {Rule} rule */
  const needsWallTime = ({ needs }) => needs?.wallTime_s !== undefined;
  const contract = await builtContract();
  const { fetch: recordingFetch, exercised } = createRuleCoverage(contract);
  /** @type {Rule[]} */
  const alone = RULES.filter(needsWallTime);
  const others = RULES.filter((/** @type {Rule} */ rule) => !needsWallTime(rule));
  const results = await Promise.all([
    runAt(others, STEPPED, recordingFetch),
    ...alone.map((rule) => runAt([rule], SLOW_CLOCK, recordingFetch)),
  ]);
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
