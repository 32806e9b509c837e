/**
 * `npm run rules:servo`: the rules of the spec against the built program over servos: the bus
 * emulator behind TCP, as `armtwin emulate-bus` serves it. A bus keeps real time, so the rules are
 * dealt to some arms side by side, and those that need more time than there is are told as skipped
 * (--patience SECONDS: more of it), as are those that need the simulated world.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { builtGround, judge } from './rules.mjs';
import { ensureProgram, launch, readyUrl } from './start.mjs';
import { putFirst } from './urgency.mjs';

const TOKEN = 'token-of-the-rules';
const ARMS = 3;
const CALIBRATION = 'fixtures/servos/emulated.json';
const BUS_READY = /^armtwin bus ready (\S+)$/m;
/** What a rule takes that does not say (s). */
const USUAL_S = 2;
/** Longer than this no rule may take: half an hour of a session's life has its place elsewhere. */
const PATIENCE_S = 120;

/**
 * @typedef {import('./rules.mjs').Rule} Rule
 * @typedef {import('./rules.mjs').Result} Result
 */

/** @param {Rule} rule */
const lengthOf = ({ needs }) => Math.max(needs?.armTime_s ?? USUAL_S, needs?.wallTime_s ?? 0);

/**
 * Deals rules to arms, the longest first and each to the arm with the least to do; every arm keeps
 * the order of the catalogue.
 * @param {readonly Rule[]} rules
 * @param {number} arms
 * @param {number} [patience_s]
 * @returns {Rule[][]}
 */
export function dealRules(rules, arms, patience_s = PATIENCE_S) {
  const hands = Array.from({ length: arms }, () => ({ length_s: 0, ids: new Set() }));
  const longestFirst = [...rules].sort((a, b) => lengthOf(b) - lengthOf(a));
  for (const rule of longestFirst) {
    const least = hands.reduce((a, b) => (b.length_s < a.length_s ? b : a));
    least.ids.add(rule.id);
    // What is skipped takes no time.
    if (lengthOf(rule) <= patience_s) least.length_s += lengthOf(rule);
  }
  return hands.map(({ ids }) => rules.filter(({ id }) => ids.has(id)));
}

/**
 * What the arm's log says of faults: why a rule broke is told there alone.
 * @param {string} log
 * @returns {string[]}
 */
export function faultsIn(log) {
  const said = log.split('\n').map((line) => /"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? '');
  return said.filter((_, i) => said[i - 1]?.endsWith('→ error (fault)'));
}

/**
 * The rules against one arm of emulated servos.
 * @param {Rule[]} rules
 * @param {number} patience_s
 * @returns {Promise<{ results: Result[], faults: string[], isFirst: boolean }>}
 */
async function runOnServos(rules, patience_s) {
  const runner = pathToFileURL('dist/contract/rules/runner.js').href;
  const [{ runRules }, { WebSocket }] = await Promise.all([import(runner), import('ws')]);
  const quiet = /** @type {const} */ (['ignore', 'pipe', 'pipe']);
  const emulator = launch(['emulate-bus', '--tcp', '0'], [...quiet]);
  const running = [emulator];
  try {
    const bus = await readyUrl(emulator, BUS_READY);
    const joints = ['--driver', 'servo', '--bus', bus, '--calibration', CALIBRATION];
    const flags = ['--port', '0', '--token', TOKEN, '--log-level', 'info'];
    const server = launch([...flags, ...joints], [...quiet]);
    running.push(server);
    let log = '';
    server.stderr?.on('data', (chunk) => {
      log += chunk;
    });
    const baseUrl = await readyUrl(server);
    const isFirst = putFirst(emulator) && putFirst(server);
    const results = await runRules(rules, {
      baseUrl,
      token: TOKEN,
      WebSocket,
      ground: await builtGround(),
      patience_s,
      update: true,
      settle: (/** @type {number} */ duration_s) => wait(duration_s * 1000),
    });
    return { results: [...results], faults: faultsIn(log), isFirst };
  } finally {
    for (const child of running) child.kill('SIGTERM');
  }
}

/** @param {string[]} flags */
function patienceOf(flags) {
  const { values } = parseArgs({ args: flags, options: { patience: { type: 'string' } } });
  return values.patience === undefined ? PATIENCE_S : Number(values.patience);
}

/**
 * @param {string[]} flags
 * @returns {Promise<number>}
 */
export async function servoRules(flags) {
  const patience_s = patienceOf(flags);
  if (!(await ensureProgram())) return 1;
  const { RULES } = await import(pathToFileURL('dist/contract/rules/catalogue.js').href);
  const begin = performance.now();
  const ends = await Promise.allSettled(
    dealRules(RULES, ARMS, patience_s).map((rules) => runOnServos(rules, patience_s)),
  );
  const runs = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const { counts, lines } = judge(
    runs.flatMap(({ results }) => results),
    [],
  );
  lines.push(...runs.flatMap(({ faults }) => faults.map((fault) => `fault: ${fault}`)));
  if (runs.some(({ isFirst }) => !isFirst)) {
    lines.push('note: no higher priority here, so a busy machine shows as faults of the bus');
  }
  for (const end of ends) {
    if (end.status === 'fulfilled') continue;
    counts.failed += 1;
    lines.push(`FAIL an arm: ${String(end.reason)}`);
  }
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(lines.join('\n'));
  const { passed, failed, skipped } = counts;
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped over servos, ${seconds} s`);
  return failed === 0 ? 0 : 1;
}
