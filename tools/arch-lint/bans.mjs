/** Banned constructs, each with its replacement. */
import { walk } from './source.mjs';
import { isGenerated, isTest, liesIn } from './tree.mjs';

/**
 * @typedef {import('./source.mjs').Node} Node
 * @typedef {{
 *   instead: string, in: string[], except?: string[], tests?: boolean,
 *   finds: (node: Node, parents: Node[]) => boolean,
 * }} Ban
 */

const PRODUCT = [
  'arms',
  'contract',
  'conformance',
  'physics',
  'bridge',
  'server',
  'scheduler',
  'viewer',
  'testing',
];
const TIME_ALLOWED = [
  'server/clock',
  'bridge/transport',
  'server/webhooks/delivery-worker',
  'viewer',
];
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']);
const CLOCKS = new Set(['Date.now', 'performance.now', 'process.hrtime', 'Math.random']);
const PORTABLE = new Set(
  'sqrt abs min max floor ceil round trunc sign fround imul PI E LN2 LOG2E SQRT2 SQRT1_2'.split(
    ' ',
  ),
);

/** `a.b` of a member expression over plain names. @param {Node | undefined} node */
function dotted(node) {
  if (node?.type !== 'MemberExpression' || node['computed']) return '';
  return `${node['object'].name ?? ''}.${node['property'].name ?? ''}`;
}

/** The last two names of a called member: `this.robot.tick` → `robot.tick`. @param {Node} callee */
function dottedCall(callee) {
  if (callee.type !== 'MemberExpression') return '';
  const { object } = callee;
  return `${object['name'] ?? object['property']?.name ?? ''}.${callee['property'].name ?? ''}`;
}

/** @param {Node} node @param {Node | undefined} parent */
function isPlainUse(node, parent) {
  if (parent === undefined) return true;
  const isKey = parent['key'] === node && parent['value'] !== node;
  const isMember = parent.type === 'MemberExpression' && parent['property'] === node;
  return !(isMember && parent['object'].name !== 'globalThis') && !isKey;
}

/** @type {Record<string, Ban>} */
const BANS = {
  'clock or random source': {
    instead: 'take the time or the PRNG as an argument (server/clock)',
    in: PRODUCT,
    except: [...TIME_ALLOWED, 'testing/examples'],
    finds: (node) =>
      CLOCKS.has(dotted(node)) ||
      (node.type === 'NewExpression' &&
        node['callee'].name === 'Date' &&
        node['arguments'].length === 0),
  },
  timers: {
    instead: 'use the timers of server/clock, or take a schedule as an argument',
    in: PRODUCT,
    except: [...TIME_ALLOWED, 'contract/client', 'testing/demo'],
    finds: (node, parents) =>
      node.type === 'Identifier' && TIMERS.has(node['name']) && isPlainUse(node, parents.at(-1)),
  },
  'as unknown as': {
    instead: 'narrow with a check, or fix the type at its source',
    in: PRODUCT,
    tests: true,
    finds: (node) =>
      node.type === 'TSAsExpression' &&
      node['expression'].type === 'TSAsExpression' &&
      node['expression'].typeAnnotation.type === 'TSUnknownKeyword',
  },
  throw: {
    instead: 'return refuse(name, details); handlers do not throw',
    in: ['server/service/http'],
    finds: (node) => node.type === 'ThrowStatement',
  },
  'a second control loop': {
    instead: 'the control loop (server/robot/loop) alone advances the robot; subscribe to it',
    in: ['server'],
    except: ['server/robot/loop'],
    finds: (node) =>
      node.type === 'CallExpression' && /(^|\.)robot\.tick$/.test(dottedCall(node['callee'])),
  },
  'unportable Math': {
    instead: 'use physics/math/portable.ts: the same bits everywhere (D40)',
    in: ['physics'],
    finds: (node, parents) => {
      const parent = parents.at(-1);
      if (node['name'] !== 'Math' || !isPlainUse(node, parent)) return false;
      return !PORTABLE.has(dotted(parent).replace('Math.', ''));
    },
  },
  'power operator': {
    instead: 'multiply, or use physics/math/portable.ts: the same bits everywhere (D40)',
    in: ['physics'],
    finds: (node) => node['operator'] === '**' || node['operator'] === '**=',
  },
};

/** @param {Ban} ban @param {string} path */
function applies(ban, path) {
  if (isGenerated(path) || (isTest(path) && ban.tests !== true)) return false;
  const inside = ban.in.some((place) => liesIn(path, place));
  return inside && !(ban.except ?? []).some((place) => liesIn(path, place));
}

/** @param {import('./tree.mjs').Tree} tree */
export function bans(tree) {
  /** @type {string[]} */
  const problems = [];
  for (const { path, program, lineAt } of tree.files.values()) {
    const rows = Object.entries(BANS).filter(([, ban]) => applies(ban, path));
    walk(program, (node, parents) => {
      for (const [name, ban] of rows) {
        if (!ban.finds(node, parents)) continue;
        problems.push(`${path}:${lineAt(node.start)}: ${name}; ${ban.instead}`);
      }
    });
  }
  return { checked: tree.files.size, problems };
}
