/**
 * One trial, in the folder of a scratch copy: runs the rules of the spec against a twin made of
 * the sources there, and prints the first that breaks, as JSON. Ends at that rule: one is enough.
 * The rules whose names are near the changed file come first; then all, in their own order.
 * Both dialects are tried where the file can tell them apart; rules that take wall time have twins
 * of their own beside, where the file touches connections. Arguments: the changed file, or
 * `shuffled N` to run all in a drawn order.
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

/** How many words of a rule's names stand in the path. @param {Rule} rule @param {string} path */
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
 * Each twin comes up in circumstances of its own. One finds the folder of another that had other
 * secrets, and is told where it stands and who may call; the other makes everything up.
 */
const circumstances = {
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
  const { ground } = await ours('server/verbs/ground.ts');
  const { runRules } = await ours('contract/rules/runner.ts');
  const twin = await createTwin({ dialect, ...(await circumstances[dialect](createTwin)) });
  const notice = ({ rule, outcome, reason }) => {
    // Whoever waits hears that it goes on.
    process.stdout.write('\n');
    if (outcome !== 'held') end(`${rule.id}: ${reason}`);
  };
  try {
    await runRules(rules, {
      baseUrl: twin.url,
      token: twin.token,
      WebSocket,
      settle: (duration_s) => twin.advance(duration_s),
      ground,
      dialect,
      update: true,
      patience_s: Number.POSITIVE_INFINITY,
      onResult: notice,
    });
  } catch (error) {
    end(`the run itself: ${String(error)}`);
  }
}

let isOver = false;

/** The first word is the last: others may be on their way. @param {string | null} broken */
function end(broken) {
  if (!isOver) process.stdout.write(JSON.stringify({ broken }));
  isOver = true;
  process.exit(0);
}

/**
 * Whether the change can tell the dialects apart: most files know nothing of them.
 * @param {string[]} given
 */
function knowsDialects([what]) {
  if (what === undefined || what === 'shuffled') return true;
  return /dialect/i.test(readFileSync(what, 'utf8'));
}

/** Whether the change can touch what takes wall time. @param {string[]} given */
function touchesConnections([what]) {
  return what === undefined || what === 'shuffled' || /^server\/(http|stream)\//.test(what);
}

const { RULES } = await ours('contract/rules/catalogue.ts');
/** @param {Rule} rule */
const isPatient = (rule) => rule.needs?.wallTime_s !== undefined;
const patient = touchesConnections(given) ? RULES.filter(isPatient) : [];
const swift = inOrder(
  RULES.filter((rule) => !isPatient(rule)),
  given,
);

async function runSwift() {
  await run('documented', swift);
  if (knowsDialects(given)) await run('fielded', swift);
}

await Promise.all([runSwift(), ...patient.map((rule) => run('documented', [rule]))]);
end(null);
