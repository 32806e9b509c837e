/** Reset, seed, kept states and the journal under /sim/v1. */
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { answer, EMPTY, type Handlers } from '../http/handler.ts';
import { resetTwin } from './resetting.ts';
import { restoreTwin, takeTwin } from './restoring.ts';
import { plantSeed } from './seed.ts';
import type { Simulation } from './simulation.ts';

/** A kept state brings everything back but people and recordings. */
const RESTORED = new Set(['state', 'toolpaths', 'clock', 'faults', 'obstacles'] as const);

function keptStateHandlers(simulation: Simulation): Handlers {
  const { states, parts } = simulation;
  return {
    listStates: () => answer({ states: states.list() }),
    async keepState({ body }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      const state = states.keep(body.name, await takeTwin(simulation));
      return 'refused' in state ? state : answer({ state });
    },
    async restoreState({ body, session }) {
      const image = simulation.worldRefusal ?? states.find(body.name);
      if ('refused' in image) return image;
      await restoreTwin(simulation, { image, people: null, scopes: RESTORED, keeper: session });
      parts.clock.setPaused(parts.clock.paused);
      return EMPTY;
    },
    exportState({ body }) {
      const file = states.export(body.name);
      return 'refused' in file ? file : answer(file);
    },
    importState({ body }) {
      const state = states.import(body);
      return 'refused' in state ? state : answer({ state });
    },
    forgetStates() {
      states.clear();
      return EMPTY;
    },
  };
}

function journalHandlers({ journal }: Simulation): Handlers {
  return {
    searchJournal: ({ body }) => answer({ entries: journal.search(body), lost: journal.lost }),
    verifyJournal({ body }) {
      const isObject = typeof body.body === 'object' && body.body !== null;
      return answer(journal.verify(body, isObject ? hashToolpath(body.body as object) : undefined));
    },
    clearJournal() {
      journal.clear();
      return EMPTY;
    },
  };
}

/** All handlers that put the twin back, forward or aside. */
export function stateHandlers(simulation: Simulation): Handlers {
  return {
    async resetTwin({ body, session }) {
      const { origin } = simulation;
      if (!origin || simulation.worldRefusal) return simulation.worldRefusal ?? EMPTY;
      await resetTwin(simulation, origin, { body, session });
      return EMPTY;
    },
    async seedTwin({ body }) {
      return (await plantSeed(simulation, body)) ?? EMPTY;
    },
    ...keptStateHandlers(simulation),
    ...journalHandlers(simulation),
  };
}
