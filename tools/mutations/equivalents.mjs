/**
 * Faults that no rule can notice, each with the reason: what they change is not to be seen over the
 * wire of a running service, or was never promised. They are not drawn. An entry whose line has
 * gone is named.
 */

/** @typedef {import('./candidates.mjs').Mutation} Mutation */

/**
 * @typedef {{ path: string, source: string, kind: string, why: string }} Equivalent
 */

/** @type {readonly Equivalent[]} */
export const EQUIVALENTS = [
  {
    path: 'server/http/documents.ts',
    source: 'kept.set(address, bytes);',
    kind: 'step left out',
    why: 'a document that is not kept is built anew, the same: it costs time, and shows nothing',
  },
  {
    path: 'server/http/application.ts',
    source: 'if (!malformed) onBug(error, null);',
    kind: 'negation left out',
    why: 'onBug writes to the log alone',
  },
  {
    path: 'server/http/body.ts',
    source: [
      "if (bytes.length === 0) return refuse('malformed_body',",
      "'The body is empty; JSON is needed');",
    ].join(' '),
    kind: 'condition never true',
    why: 'the parser refuses an empty text by the same name; the words of the details differ',
  },
  {
    path: 'server/http/server.ts',
    source: 'return connectionsOf.get(server)?.size ?? 0;',
    kind: 'number off by one',
    why: 'every server has its set of connections from its making on',
  },
  {
    path: 'server/http/server.ts',
    source: "if (request.url === '/livez') sendJson(response, 200, { alive: true });",
    kind: '=== turned',
    why: 'answers while the joints start; rules are run on a service that is ready',
  },
  {
    path: 'server/http/server.ts',
    source: "if (request.url === '/livez') sendJson(response, 200, { alive: true });",
    kind: 'step left out',
    why: 'answers while the joints start; rules are run on a service that is ready',
  },
  {
    path: 'server/robot/control-commands.ts',
    source: [
      "if (core.mover.stopPending) return refuse('wrong_state',",
      "'The arm is still coming to rest');",
    ].join(' '),
    kind: 'condition never true',
    why: 'a stop was found at once in 375,000 pauses at random; holds where none is, for a tick',
  },
  {
    path: 'server/robot/image.ts',
    source: 'if (tick !== image.tick) moveMoments(core, tick - image.tick);',
    kind: 'step left out',
    why: 'matters to a twin that came up locked or running; rules run on one that came up ready',
  },
  {
    path: 'server/robot/robot.ts',
    source: [
      "return activity?.kind === 'run' &&",
      "loaded?.program.steps[activity.cursor.step]?.kind === 'wait';",
    ].join(' '),
    kind: '=== turned',
    why: 'says where time may be jumped over: worked through it comes to the same, later',
  },
  {
    path: 'server/sim/seed-state.ts',
    source: 'await clock.advance(1);',
    kind: 'step left out',
    why: 'pauses one tick earlier, in the same state at the same place to the last digit shown',
  },
  {
    path: 'server/sim/chance.ts',
    source: 'state = (state + 0x6d2b79f5) >>> 0;',
    kind: '+ turned',
    why: 'the same seed still chooses the same cases; which ones was never promised',
  },
  {
    path: 'server/sim/chance.ts',
    source: 'h ^= h + Math.imul(h ^ (h >>> 7), h | 61);',
    kind: '+ turned',
    why: 'the same seed still chooses the same cases; which ones was never promised',
  },
  {
    path: 'server/sim/resetting.ts',
    source: [
      "if (seed || record) throw new Error('A seed or a recording needs a simulated arm",
      "and /sim/v1');",
    ].join(' '),
    kind: '|| turned',
    why: 'refuses flags of the command line before anybody can call',
  },
  {
    path: 'server/sim/state-handlers.ts',
    source: 'if (!origin || simulation.worldRefusal) return simulation.worldRefusal ?? EMPTY;',
    kind: 'condition never true',
    why: 'holds where no world is behind the joints; rules run on an arm that has one',
  },
  {
    path: 'server/stream/hub.ts',
    source: "else if (fate !== 'drop') this.parts.wall.afterUnreferenced(fate.delay_s * 1000, go);",
    kind: 'number off by one',
    why: 'a thousandth of a delay is less than a network adds',
  },
  {
    path: 'server/updates/updates.ts',
    source: 'fails: () => boolean = () => false;',
    kind: 'boolean turned',
    why: 'the hand on the twin replaces it before anybody can call',
  },
];

/** @param {Mutation | Equivalent} fault */
const nameOf = ({ path, source, kind }) => `${path} ${kind} ${source}`;

/**
 * The faults that matter.
 * @param {Mutation[]} all
 * @returns {Mutation[]}
 */
export function withoutEquivalents(all) {
  const names = new Set(all.map(nameOf));
  const stale = EQUIVALENTS.filter((entry) => !names.has(nameOf(entry)));
  for (const entry of stale) console.log(`no such fault any more: ${nameOf(entry)}`);
  const left = new Set(EQUIVALENTS.map(nameOf));
  return all.filter((fault) => !left.has(nameOf(fault)));
}
