/**
 * Mutations that no rule can kill, each with the reason: the change is not visible over HTTP or is
 * not specified. They are not drawn. Stale entries are printed.
 */

/** @typedef {import('./candidates.mjs').Mutation} Mutation */

/**
 * @typedef {{ path: string, source: string, kind: string, why: string }} Equivalent
 */

/** @type {readonly Equivalent[]} */
export const EQUIVALENTS = [
  {
    path: 'server/http/application.ts',
    source: 'cache.set(address, bytes);',
    kind: 'step left out',
    why: 'a document that is not cached is built again with the same content',
  },
  {
    path: 'server/http/application.ts',
    source: 'if (!malformed) onBug(error, null);',
    kind: 'negation left out',
    why: 'onBug only writes to the log',
  },
  {
    path: 'server/http/body.ts',
    source: [
      "if (bytes.length === 0) return refuse('malformed_body',",
      "'The body is empty; send JSON');",
    ].join(' '),
    kind: 'condition never true',
    why: 'the parser refuses an empty text with the same error; only the details differ',
  },
  {
    path: 'server/http/server.ts',
    source: 'return connectionsOf.get(server)?.size ?? 0;',
    kind: 'number off by one',
    why: 'every server has its set of connections from its creation',
  },
  {
    path: 'server/http/server.ts',
    source: "if (request.url === '/livez') sendJson(response, 200, { alive: true });",
    kind: '=== turned',
    why: 'responds while the joints start; rules run on a ready service',
  },
  {
    path: 'server/http/server.ts',
    source: "if (request.url === '/livez') sendJson(response, 200, { alive: true });",
    kind: 'step left out',
    why: 'responds while the joints start; rules run on a ready service',
  },
  {
    path: 'server/robot/control-commands.ts',
    source: [
      "if (core.mover.stopPending) return refuse('wrong_state',",
      "'The arm is still coming to rest');",
    ].join(' '),
    kind: 'condition never true',
    why: 'random tests found a stop at once in 375,000 pauses; affects one tick without a stop',
  },
  {
    path: 'server/robot/image.ts',
    source: 'if (tick !== image.tick) moveMoments(core, tick - image.tick);',
    kind: 'step left out',
    why: 'affects a twin that starts locked or running; rules run on a twin that starts ready',
  },
  {
    path: 'server/robot/robot.ts',
    source: [
      "return activity?.kind === 'run' &&",
      "loaded?.program.steps[activity.cursor.step]?.kind === 'wait';",
    ].join(' '),
    kind: '=== turned',
    why: 'only decides where time is skipped; stepping gives the same result later',
  },
  {
    path: 'server/simulation/seed-state.ts',
    source: 'await clock.advance(1);',
    kind: 'step left out',
    why: 'pauses one tick earlier in the same state at the same displayed position',
  },
  {
    path: 'server/simulation/chance.ts',
    source: 'state = (state + 0x6d2b79f5) >>> 0;',
    kind: '+ turned',
    why: 'the same seed still selects the same cases; which ones is not specified',
  },
  {
    path: 'server/simulation/chance.ts',
    source: 'h ^= h + Math.imul(h ^ (h >>> 7), h | 61);',
    kind: '+ turned',
    why: 'the same seed still selects the same cases; which ones is not specified',
  },
  {
    path: 'server/simulation/resetting.ts',
    source: [
      "if (seed || record) throw new Error('A seed or a recording needs a simulated arm",
      "and /sim/v1');",
    ].join(' '),
    kind: '|| turned',
    why: 'refuses command-line flags before the service accepts calls',
  },
  {
    path: 'server/simulation/state-handlers.ts',
    source: 'if (!origin || simulation.worldRefusal) return simulation.worldRefusal ?? EMPTY;',
    kind: 'condition never true',
    why: 'affects arms without a simulated world; rules run on an arm with one',
  },
  {
    path: 'server/stream/hub.ts',
    source:
      "else if (fault !== 'drop') this.options.wall.afterUnreferenced(fault.delay_s * 1000, send);",
    kind: 'number off by one',
    why: '0.1 % of a delay is less than the network adds',
  },
  {
    path: 'server/updates/updates.ts',
    source: 'fails: () => boolean = () => false;',
    kind: 'boolean turned',
    why: 'the simulation control API replaces it before the service accepts calls',
  },
];

/** @param {Mutation | Equivalent} fault */
const nameOf = ({ path, source, kind }) => `${path} ${kind} ${source}`;

/**
 * The mutations without equivalents.
 * @param {Mutation[]} all
 * @returns {Mutation[]}
 */
export function withoutEquivalents(all) {
  const names = new Set(all.map(nameOf));
  const stale = EQUIVALENTS.filter((entry) => !names.has(nameOf(entry)));
  for (const entry of stale)
    console.log(`stale entry, remove it from equivalents.mjs: ${nameOf(entry)}`);
  const left = new Set(EQUIVALENTS.map(nameOf));
  return all.filter((fault) => !left.has(nameOf(fault)));
}
