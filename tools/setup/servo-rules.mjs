/**
 * `npm run check servo-rules`: runs the conformance suite against the built program over servos,
 * with the bus emulator behind TCP (`armtwin emulate-bus --paired`): eight servos with the gains of
 * the factory, two of them on shoulder and elbow. The bus runs in real time, so the rules
 * are distributed over several arms. Rules that take longer than `--limit SECONDS` or need the
 * simulated world are skipped. `--servo-family NAME` runs them over the servos of a calibration of
 * fixtures/servos: of a family, or `current-based`, whose current the driver limits.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { raisePriority } from './process-priority.mjs';
import { builtRawTcp, judge, withViolations } from './rules.mjs';
import { ensureProgram, launch, readyUrl, violationsOf } from './start.mjs';

const TOKEN = 'rules-token';
const ARMS = 3;
/** Calibrations of emulated servos: one of each family, and of the other control mode. */
const FOLDER = fileURLToPath(new URL('../../fixtures/servos', import.meta.url));
const USUAL = 'dynamixel';
const BUS_READY = /^armtwin bus ready (\S+)$/m;
/** Joints with two servos, and what is added to the id of the first (`emulate-bus --paired`). */
const PAIRED_JOINTS = [1, 2];
const SECOND_ID = 10;
/** Assumed duration of a rule without a stated one (s). */
const DEFAULT_S = 2;
/** Default limit of the duration of a rule (s). */
const LIMIT_S = 120;

/**
 * @typedef {import('./rules.mjs').Rule} Rule
 * @typedef {import('./rules.mjs').Result} Result
 */

/** @param {Rule} rule */
const lengthOf = ({ needs }) => Math.max(needs?.armTime_s ?? DEFAULT_S, needs?.wallTime_s ?? 0);

/**
 * Distributes rules over arms: longest first, each to the arm with the least load. Every arm keeps
 * the order of the catalogue.
 * @param {readonly Rule[]} rules
 * @param {number} arms
 * @param {number} [limit_s]
 * @returns {Rule[][]}
 */
export function distributeRules(rules, arms, limit_s = LIMIT_S) {
  const loads = Array.from({ length: arms }, () => ({ length_s: 0, ids: new Set() }));
  const longestFirst = [...rules].sort((a, b) => lengthOf(b) - lengthOf(a));
  for (const rule of longestFirst) {
    const least = loads.reduce((a, b) => (b.length_s < a.length_s ? b : a));
    least.ids.add(rule.id);
    // Skipped rules take no time.
    if (lengthOf(rule) <= limit_s) least.length_s += lengthOf(rule);
  }
  return loads.map(({ ids }) => rules.filter(({ id }) => ids.has(id)));
}

/**
 * The faults in the log of an arm, which explain broken rules.
 * @param {string} log
 * @returns {string[]}
 */
export function faultsIn(log) {
  const messages = log.split('\n').map((line) => /"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? '');
  return messages.filter((_, i) => messages[i - 1]?.endsWith('→ error (fault)'));
}

/** Names of the calibrations. */
export function calibrationNames() {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.map((file) => file.replace('.json', ''));
}

/**
 * Writes a calibration of emulated servos with two on shoulder and elbow; returns the file, and the
 * family of the servos.
 * @param {string} name
 * @param {string} folder
 * @returns {{ file: string, family: string }}
 */
export function pairedCalibration(name, folder) {
  const calibration = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
  for (const joint of PAIRED_JOINTS) {
    const [id] = calibration.joints[joint].ids;
    calibration.joints[joint].ids = [id, id + SECOND_ID];
  }
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(calibration));
  return { file, family: calibration.family };
}

/** @typedef {{ limit_s: number, servos: string }} ServoRun */

/**
 * Runs rules against one arm with emulated servos.
 * @param {Rule[]} rules
 * @param {ServoRun} run
 * @returns {Promise<{ results: Result[], faults: string[], hasPriority: boolean }>}
 */
async function runOnServos(rules, { limit_s, servos }) {
  const runner = pathToFileURL('dist/conformance/runner.js').href;
  const [{ runRules }, { WebSocket }] = await Promise.all([import(runner), import('ws')]);
  const quiet = /** @type {const} */ (['ignore', 'pipe', 'pipe']);
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-servo-rules-'));
  const { file: calibration, family } = pairedCalibration(servos, folder);
  const bus_flags = ['--tcp', '0', '--paired', '--servo-family', family];
  const emulator = launch(['emulate-bus', ...bus_flags], [...quiet]);
  const running = [emulator];
  try {
    // A start asks each servo for some fifty registers: it needs the priority too.
    let hasPriority = raisePriority(emulator);
    const bus = await readyUrl(emulator, BUS_READY);
    const joints = ['--driver', 'servo', '--bus', bus, '--calibration', calibration];
    const flags = ['--port', '0', '--token', TOKEN, '--log-level', 'info'];
    const server = launch([...flags, ...joints], [...quiet]);
    running.push(server);
    hasPriority = raisePriority(server) && hasPriority;
    let log = '';
    server.stderr?.on('data', (chunk) => {
      log += chunk;
    });
    const baseUrl = await readyUrl(server);
    const results = await runRules(rules, {
      baseUrl,
      token: TOKEN,
      WebSocket,
      rawTcp: await builtRawTcp(),
      ruleLimit_s: limit_s,
      update: true,
      settle: (/** @type {number} */ duration_s) => wait(duration_s * 1000),
    });
    const all = withViolations(results, await violationsOf(baseUrl));
    return { results: all, faults: faultsIn(log), hasPriority };
  } finally {
    for (const child of running) child.kill('SIGTERM');
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string[]} flags
 * @returns {ServoRun}
 */
function runOf(flags) {
  const options = /** @type {const} */ ({
    limit: { type: 'string' },
    'servo-family': { type: 'string' },
  });
  const { values } = parseArgs({ args: flags, options });
  const limit_s = values.limit === undefined ? LIMIT_S : Number(values.limit);
  const servos = values['servo-family'] ?? USUAL;
  const names = calibrationNames();
  if (names.includes(servos)) return { limit_s, servos };
  throw new Error(`--servo-family ${servos}: give one of ${names.join(', ')}`);
}

/**
 * @param {string[]} flags
 * @returns {Promise<number>}
 */
export async function servoRules(flags) {
  const run = runOf(flags);
  if (!(await ensureProgram())) return 1;
  const { RULES } = await import(pathToFileURL('dist/conformance/catalogue.js').href);
  const begin = performance.now();
  const ends = await Promise.allSettled(
    distributeRules(RULES, ARMS, run.limit_s).map((rules) => runOnServos(rules, run)),
  );
  const runs = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const { counts, lines } = judge(
    runs.flatMap(({ results }) => results),
    [],
  );
  lines.push(...runs.flatMap(({ faults }) => faults.map((fault) => `fault: ${fault}`)));
  if (runs.some(({ hasPriority }) => !hasPriority)) {
    lines.push('note: the priority could not be raised; a busy machine may cause bus faults');
  }
  for (const end of ends) {
    if (end.status === 'fulfilled') continue;
    counts.failed += 1;
    lines.push(`FAIL an arm: ${String(end.reason)}`);
  }
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(lines.join('\n'));
  const { passed, failed, skipped } = counts;
  const where = `over ${run.servos} servos, ${seconds} s`;
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped ${where}`);
  return failed === 0 ? 0 : 1;
}
