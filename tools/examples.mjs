/**
 * `npm run generate examples`: runs the conformance rules against a twin, records a request, a
 * reply and the details of each refusal of every call, and writes the examples that the OpenAPI
 * document shows. Secrets are replaced, long arrays are shortened. Arguments choose rules by a part
 * of their ids; the examples of other calls stay.
 */
import { writeFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import { EXAMPLES_FILE, examplesText } from './generate/examples.mjs';

/** @param {string} path @returns {Promise<any>} */
const load = (path) => import(new URL(`../${path}`, import.meta.url).href);
const { errorNamed } = await load('contract/errors.ts');
const { ROUTES } = await load('contract/routes.ts');
const { RULES } = await load('conformance/catalogue.ts');
const { runRules } = await load('conformance/runner.ts');
const { validate } = await load('contract/validator.ts');
const { createTwin } = await load('server/index.ts');

/** Longest text of an example before its arrays are shortened. */
const LONG_CHARACTERS = 1_500;
/** Longest text of an example afterwards; a longer one is left out. */
const MOST_CHARACTERS = 6_000;
const SHOWN_ITEMS = 2;
const SECRETS = /** @type {[RegExp, string][]} */ ([
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '3f2b8c1e-6d47-4a90-9c55-0e7d12ab34cd'],
  [/^[\w-]{43}$/, 'Zk3vQ9xT1mB7cR5yH2nL8wP4sD6fG0jK-aUeIoXqVbN'],
]);

/** @param {unknown} value @param {string} [key] @returns {unknown} */
function withoutSecrets(value, key = '') {
  if (typeof value === 'string') {
    if (key.includes('password')) return 'correct horse battery';
    return SECRETS.find(([pattern]) => pattern.test(value))?.[1] ?? value;
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, key));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, item]) => [name, withoutSecrets(item, name)]);
  return Object.fromEntries(entries);
}

/** Shortens arrays of objects and long texts. @param {unknown} value @returns {unknown} */
function shortened(value) {
  if (Array.isArray(value)) {
    const hasObjects = value.some((item) => item !== null && typeof item === 'object');
    return (hasObjects ? value.slice(0, SHOWN_ITEMS) : value).map(shortened);
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]));
}

/**
 * The example of a value: null when it is too long or does not fit its schema.
 * @param {string} schema
 * @param {unknown} value
 */
function exampleFrom(schema, value) {
  const safe = withoutSecrets(value);
  const shown = JSON.stringify(safe).length > LONG_CHARACTERS ? shortened(safe) : safe;
  if (JSON.stringify(shown).length > MOST_CHARACTERS) return null;
  return validate(schema, shown, { dialect: 'documented' }).ok ? shown : null;
}

const patterns = ROUTES.map((/** @type {any} */ row) => {
  const text = row.path.replaceAll(/\{\w+\}/g, '[1-9]\\d*');
  return { row, pattern: new RegExp(`^${row.method} ${text}$`) };
});

/** @typedef {import('./generate/examples.mjs').Example} Example */

/** @type {Record<string, Example>} */
const examples = {};

/**
 * Takes one exchange as an example where it is better than the present one.
 * @param {any} row
 * @param {unknown} body
 * @param {{ status: number, body: any }} got
 */
function take(row, body, got) {
  examples[row.id] ??= { refusals: {} };
  const example = examples[row.id];
  if (!example) return;
  if (got.status >= 400) {
    const name = got.body?.error && errorNamed(got.status, got.body.error);
    if (!name) return;
    example.refusals[name] ??= withoutSecrets(got.body.error.details);
    return;
  }
  const reply = row.reply ? exampleFrom(row.reply, got.body) : undefined;
  if (reply === null) return;
  const given = row.body && body !== undefined ? exampleFrom(row.body, body) : undefined;
  if (given === null) return;
  // The richest exchange that is not long shows the most fields.
  const size = JSON.stringify([given ?? null, reply ?? null]).length;
  const before = JSON.stringify([example.body ?? null, example.reply ?? null]).length;
  const fits = size <= LONG_CHARACTERS && (size > before || before > LONG_CHARACTERS);
  if (before > '[null,null]'.length && !fits) return;
  if (given !== undefined) example.body = given;
  if (reply !== undefined) example.reply = reply;
}

/** @param {string | URL | Request} url @param {RequestInit} [options] */
async function recordingFetch(url, options = {}) {
  const reply = await fetch(url, options);
  const text = await reply.text();
  const { pathname } = new URL(String(url));
  const row = patterns.find(({ pattern }) =>
    pattern.test(`${options.method ?? 'GET'} ${pathname}`),
  );
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false;
  let sent;
  try {
    const { body } = options;
    const given = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
    sent = typeof given === 'string' ? JSON.parse(given) : undefined;
  } catch {}
  if (row && (isJson || reply.status === 204)) {
    take(row.row, sent, { status: reply.status, body: isJson ? JSON.parse(text) : undefined });
  }
  const { status, statusText, headers } = reply;
  return new Response(status === 204 ? null : text, { status, statusText, headers });
}

const chosen = process.argv.slice(2);
const isChosen = (/** @type {string} */ id) =>
  chosen.length === 0 || chosen.some((part) => id.includes(part));
const { RECORDED_EXAMPLES: before } =
  chosen.length > 0 ? await load('contract/api-docs/recorded-examples.ts') : {};
const twin = await createTwin();
const results = await runRules(
  RULES.filter(
    (/** @type {any} */ { id, needs }) =>
      needs?.wallTime_s === undefined && !needs?.rawTcp && isChosen(id),
  ),
  {
    baseUrl: twin.url,
    token: twin.token,
    WebSocket: /** @type {any} */ (WebSocket),
    settle: (/** @type {number} */ duration_s) => twin.advance(duration_s),
    update: true,
    ruleLimit_s: Number.POSITIVE_INFINITY,
    fetch: recordingFetch,
  },
);
await twin.close();
const sorted = Object.fromEntries(
  ROUTES.flatMap((/** @type {any} */ { id }) => {
    const { refusals = {}, ...rest } = before?.[id] ?? {};
    const now = examples[id];
    if (!now && !before?.[id]) return [];
    // In the order of `npm run generate`, which keeps the file up to date.
    const { body, reply } = { ...rest, ...now };
    return [[id, { body, reply, refusals: { ...refusals, ...now?.refusals } }]];
  }),
);
writeFileSync(EXAMPLES_FILE, examplesText(sorted));
const held = results.filter((/** @type {any} */ { outcome }) => outcome === 'held').length;
console.log(`wrote ${EXAMPLES_FILE}: ${Object.keys(sorted).length} calls of ${held} rules`);
process.exit(0);
