/** Handlers of the log of contacts and of the real load under /sim/v1. */

import type { Handlers } from '../http/handler.ts';
import { answer, EMPTY } from '../http/reply.ts';
import { contactsReply } from './contacts-reply.ts';
import { loadOf, wireLoad } from './real-load.ts';
import type { Simulation } from './simulation.ts';

export function contactHandlers({ parts, worldRefusal }: Simulation): Handlers {
  const { world } = parts;
  const { robot, loop } = parts.services;
  if (!world) {
    const refused = () => worldRefusal ?? EMPTY;
    return { listContacts: refused, getLoad: refused, setLoad: refused, clearLoad: refused };
  }
  const reply = () =>
    answer({
      load: world.load && wireLoad(world.load),
      payload_kg: robot.memory.loaded?.program.payload_kg ?? 0,
    });
  return {
    listContacts: () => answer(contactsReply(world)),
    getLoad: reply,
    setLoad({ body }) {
      const load = loadOf(body);
      if ('refused' in load) return load;
      loop.applyWorldAction({ kind: 'load', load });
      return reply();
    },
    clearLoad() {
      loop.applyWorldAction({ kind: 'load', load: null });
      return EMPTY;
    },
  };
}
