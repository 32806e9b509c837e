/**
 * One trial in a scratch copy: runs the conformance rules against a twin from its sources and
 * prints the first broken rule as JSON. Rules with names similar to the mutated file run first.
 * Runs both dialects if the file mentions dialects. Rules in wall time run on their own twins if
 * the file concerns connections. Arguments: the mutated file, or `shuffled N` for a random order.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';

/** @typedef {{ id: string, routes: readonly string[], needs?: { wallTime_s?: number } }} Rule */

const TOKEN = 'token of the trial, long enough';

/** @param {string} path */
const ours = (path) => import(pathToFileURL(resolve(path)).href);

/** @param {string} text */
const wordsOf = (text) => text.split(/[^A-Za-z]+|(?=[A-Z])/).map((word) => word.toLowerCase());

/** The number of words that a rule shares with the path. @param {Rule} rule @param {string} path */
function nearness({ id, routes }, path) {
  const words = new Set(wordsOf(path.replace('server/', '').replace('.ts', '')));
  const own = new Set([...wordsOf(id), ...routes.flatMap(wordsOf)]);
  return [...own].filter((word) => word.length > 2 && words.has(word)).length;
}

/** @param {readonly Rule[]} rules @param {string[]} given */
function inOrder(rules, [what, seed]) {
  if (what === undefined) return rules;
  /** @param {Rule} rule */
  let key = (rule) => -nearness(rule, what);
  if (what === 'shuffled') {
    const lots = new Map(rules.map((rule, i) => [rule, Math.sin((i + 1) * 7919 * Number(seed))]));
    key = (rule) => lots.get(rule) ?? 0;
  }
  return [...rules].sort((a, b) => key(a) - key(b));
}

const given = process.argv.slice(2);

/**
 * Each twin has its own setup. One uses the data folder of an earlier twin, a given token, time
 * zone and origins; the other uses defaults.
 */
const setups = {
  /** @param {(options: object) => Promise<{ close(): Promise<void> }>} createTwin */
  async documented(createTwin) {
    const data = mkdtempSync(join(tmpdir(), 'armtwin-trial-'));
    // A twin may still be saving.
    const cleaned = { recursive: true, force: true, maxRetries: 5 };
    process.once('exit', () => rmSync(data, cleaned));
    await (await createTwin({ data })).close();
    const { ALLOWED_PAGE } = await ours('contract/rules/data-rules.ts');
    return { data, token: TOKEN, timezone: 'Asia/Kathmandu', allowedOrigins: [ALLOWED_PAGE] };
  },
  fielded: async () => ({}),
};

/**
 * Ends the trial at the first rule that breaks.
 * @param {'documented' | 'fielded'} dialect
 * @param {readonly Rule[]} rules
 */
async function run(dialect, rules) {
  const { createTwin } = await ours('server/index.ts');
  const { rawTcp } = await ours('server/cli/commands/raw-tcp.ts');
  const { runRules } = await ours('contract/rules/runner.ts');
  const twin = await createTwin({ dialect, ...(await setups[dialect](createTwin)) });
  const notice = ({ rule, outcome, reason }) => {
    // Progress for the parent process.
    process.stdout.write('\n');
    if (outcome !== 'held') end(`${rule.id}: ${reason}`);
  };
  try {
    await runRules(rules, {
      baseUrl: twin.url,
      token: twin.token,
      WebSocket,
      settle: (duration_s) => twin.advance(duration_s),
      rawTcp,
      dialect,
      update: true,
      ruleLimit_s: Number.POSITIVE_INFINITY,
      onResult: notice,
    });
  } catch (error) {
    end(`the run failed: ${String(error)}`);
  }
}

let isOver = false;

/** Only the first result counts. @param {string | null} broken */
function end(broken) {
  if (!isOver) process.stdout.write(JSON.stringify({ broken }));
  isOver = true;
  process.exit(0);
}

/**
 * Whether the mutated file mentions dialects.
 * @param {string[]} given
 */
function knowsDialects([what]) {
  if (what === undefined || what === 'shuffled') return true;
  return /dialect/i.test(readFileSync(what, 'utf8'));
}

/** Whether the mutated file can affect rules in wall time. @param {string[]} given */
function touchesConnections([what]) {
  return what === undefined || what === 'shuffled' || /^server\/(http|stream)\//.test(what);
}

const { RULES } = await ours('contract/rules/catalogue.ts');
/** @param {Rule} rule */
const needsWallTime = (rule) => rule.needs?.wallTime_s !== undefined;
const wallTimeRules = touchesConnections(given) ? RULES.filter(needsWallTime) : [];
const fastRules = inOrder(
  RULES.filter((rule) => !needsWallTime(rule)),
  given,
);

async function runFast() {
  await run('documented', fastRules);
  if (knowsDialects(given)) await run('fielded', fastRules);
}

await Promise.all([runFast(), ...wallTimeRules.map((rule) => run('documented', [rule]))]);
end(null);
