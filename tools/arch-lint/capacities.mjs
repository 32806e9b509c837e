/**
 * Capacities outside of the table of shares: a number that bounds how much is kept or how many
 * threads work. What all users share is a row of contract/shares.ts, so that nobody can take all of
 * it; a bound that stands elsewhere is one of `OTHERS`, which says why no user can take another's.
 */
import { walk } from './source.mjs';
import { isTest, liesIn } from './tree.mjs';

/** @typedef {import('./source.mjs').Node} Node */

const PLACES = ['server', 'scheduler'];
/** Where no users are: a command of one person, and measurements of an arm. */
const EXCEPT = ['server/cli', 'server/identify'];

/** The bounds that are no shares, by file and name, and why. @type {Record<string, string>} */
export const OTHERS = {
  'scheduler/definition/definition-findings.ts limits.reported_problems': 'of one call',
  'server/clock/schedule-place.ts JUDGED_TICKS': 'a measurement of the twin',
  'server/recording/recording.ts limits.recording_bytes': '/sim/v1: admins',
  'server/recording/tick-runs.ts 3': 'a run of ticks',
  'server/robot/invariant-violations.ts RECORDED_MAX': 'a report of tests',
  'server/service/foxglove/live-client.ts SUBSCRIPTIONS_MAX': 'of one client',
  'server/service/http/connections.ts most': 'connections without a session, by address',
  'server/service/sessions/sessions.ts limits.sessions':
    'the oldest of the user with the most ends',
  'server/service/sessions/password-checks.ts limits.log_in_accounts':
    'forgets failures that are a minute old long before',
  'server/toolpaths/toolpath-library.ts limits.shared_toolpaths':
    'the oldest offer of the user with the most is dropped',
  'server/service/simulation/call-journal.ts limits.journal_entries': 'a list of /sim/v1: admins',
  'server/service/simulation/faults/fault-list.ts limits.faults': '/sim/v1: admins',
  'server/service/simulation/named-snapshots.ts limits.snapshots': '/sim/v1: admins',
  'server/service/simulation/obstacles.ts limits.obstacles': '/sim/v1: admins',
};

const COUNTS = new Set(['size', 'length', 'used', 'count', 'bytes']);
const THREADS = new Set(['maxThreads', 'maxQueue', 'concurrency', 'maxSockets', 'maxConnections']);
const ORDER = new Set(['<', '<=', '>', '>=']);

/** The leftmost object of a member expression. @param {Node | undefined} node @returns {Node | undefined} */
function rootOf(node) {
  if (node?.type === 'MemberExpression') return rootOf(node['object']);
  if (node?.type === 'TSNonNullExpression') return rootOf(node['expression']);
  return node;
}

/** The name of a bound: a constant, an entry of limits, or a number above 2. @param {Node} node */
function boundOf(node) {
  if (node.type === 'Literal')
    return typeof node['value'] === 'number' && node['value'] > 2 ? `${node['value']}` : null;
  if (node.type === 'Identifier') return node['name'];
  if (node.type !== 'MemberExpression') return null;
  return node['object'].name === 'limits' ? `limits.${node['property'].name}` : null;
}

/** Names that a module declares at its top, and those of them that are numbers. @param {Node} program */
function topNames(program) {
  const names = new Set();
  const numbers = new Set();
  for (const statement of program['body']) {
    const declared = statement.declaration ?? statement;
    for (const one of declared.declarations ?? []) {
      if (!one.id.name) continue;
      names.add(one.id.name);
      const type = one.init?.type;
      const isLimit = type === 'MemberExpression' && one.init.object.name === 'limits';
      const isNumber = type === 'Literal' && typeof one.init.value === 'number';
      if (isNumber || type === 'BinaryExpression' || isLimit) numbers.add(one.id.name);
    }
  }
  return { names, numbers };
}

/**
 * The bounds in a file: how many of what outlives a call (a member of `this`, or of the module) are
 * compared with, and the sizes of pools.
 * @param {import('./source.mjs').Source} source
 */
function boundsIn({ program, lineAt }) {
  const { names, numbers } = topNames(program);
  /** @type {{ name: string, line: number }[]} */
  const found = [];
  const isKept = (/** @type {Node} */ node) => {
    if (node.type !== 'MemberExpression' || !COUNTS.has(node['property'].name)) return false;
    const root = rootOf(node);
    return (
      root?.type === 'ThisExpression' || (root?.type === 'Identifier' && names.has(root['name']))
    );
  };
  const isBound = (/** @type {string | null} */ name) =>
    name !== null && (!/^[A-Za-z_]\w*$/.test(name) || numbers.has(name));
  walk(program, (node) => {
    if (node.type === 'BinaryExpression' && ORDER.has(node['operator'])) {
      const { left, right } = node;
      for (const [count, bound] of [
        [left, right],
        [right, left],
      ]) {
        const name = boundOf(bound);
        if (isKept(count) && isBound(name))
          found.push({ name: `${name}`, line: lineAt(node.start) });
      }
    }
    if (node.type === 'Property' && THREADS.has(node['key'].name)) {
      const name = boundOf(node['value']);
      if (name !== null && isBound(name)) found.push({ name, line: lineAt(node.start) });
    }
  });
  return found;
}

/** @param {import('./tree.mjs').Tree} tree @param {Record<string, string>} others */
export function capacities(tree, others = OTHERS) {
  /** @type {string[]} */
  const problems = [];
  const seen = new Set();
  let checked = 0;
  for (const source of tree.files.values()) {
    const { path } = source;
    const isProduct = PLACES.some((place) => liesIn(path, place)) && !isTest(path);
    if (!isProduct || EXCEPT.some((place) => liesIn(path, place))) continue;
    checked += 1;
    for (const { name, line } of boundsIn(source)) {
      const key = `${path} ${name}`;
      seen.add(key);
      if (Object.hasOwn(others, key)) continue;
      problems.push(
        `${path}:${line}: ${name} bounds what is kept for all users; make it a row of ` +
          'contract/shares.ts and a Share of it, or say in OTHERS of tools/arch-lint/capacities.mjs ' +
          'why no user can take what is another’s',
      );
    }
  }
  for (const key of Object.keys(others)) {
    if (!seen.has(key)) problems.push(`OTHERS has ${key}, which is not there; remove it`);
  }
  return { checked, problems };
}
