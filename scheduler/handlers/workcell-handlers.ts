/** HTTP handlers of workcells and their decks. */

import { isRefusal, type Refusal, refuse } from '../../contract/refusal.ts';
import type { SessionCall } from '../../server/service/http/call.ts';
import type { Handlers } from '../../server/service/http/handler.ts';
import { answer } from '../../server/service/http/reply.ts';
import { definitionRefusal } from '../definition/definition-refusal.ts';
import type { Runs } from '../run/runs.ts';
import { contradictionOf, workcellInCell } from '../workcell/cell-deck.ts';
import {
  deckBodyOf,
  deckContentsOf,
  deckFaults,
  homelessLabware,
  unitsOf,
} from '../workcell/deck.ts';
import { nameInUse, type Workcell, type Workcells } from '../workcell/workcells.ts';

function workcellReply({ id, name, instruments, transport_matrix }: Workcell) {
  return { id, name, instruments, ...(transport_matrix && { transport_matrix }) };
}

/** The deck as the cell has it, when the workcell is in the cell, else as it is stored. */
function deckReply(runs: Runs, workcell: Workcell) {
  const { id, deck, stock } = workcell;
  runs.updateDecks(id);
  const real = workcellInCell(runs.cell(), workcell);
  return { workcell_id: id, ...deckBodyOf(real ?? deck, stock), runs: runs.idsOn(id) };
}

/** Returns the handlers of workcells and their decks. */
export function workcellHandlers(runs: Runs, workcells: Workcells): Handlers {
  const foundFor = ({ caller, parameters }: SessionCall): Workcell | Refusal<'not_found'> => {
    const id = parameters['workcell_id']!;
    return workcells.find(caller.user_id, id) ?? refuse('not_found', `You have no workcell ${id}`);
  };
  /** The workcell of a change, which no active run may use. */
  const unusedFor = (call: SessionCall): Workcell | Refusal<'not_found' | 'wrong_state'> => {
    const found = foundFor(call);
    if (isRefusal(found)) return found;
    const [busy] = runs.idsOn(found.id);
    return busy === undefined ? found : refuse('wrong_state', `Run ${busy} uses the workcell`);
  };
  return {
    listWorkcells: ({ caller }) => answer({ workcells: workcells.list(caller.user_id) }),
    async createWorkcell({ caller, body, recheck, record }) {
      const made = await workcells.create(caller.user_id, body, {
        guard: recheck,
        onCreated: (draft, one) => record(draft, { reply: { workcell: workcellReply(one) } }),
      });
      return isRefusal(made) ? made : answer({ workcell: workcellReply(made) });
    },
    getWorkcell(call) {
      const found = foundFor(call);
      return isRefusal(found) ? found : answer({ workcell: workcellReply(found) });
    },
    async updateWorkcell(call) {
      const found = unusedFor(call);
      if (isRefusal(found)) return found;
      const { body } = call;
      const other = workcells.named(call.caller.user_id, body.name);
      if (other && other.id !== found.id) return nameInUse(body.name);
      const homeless = homelessLabware(found.deck, body.instruments);
      if (homeless.length > 0) return refuse('wrong_state', `${homeless.join('; ')}. Set the deck`);
      const changed = await workcells.update(found, body);
      return isRefusal(changed) ? changed : answer({ workcell: workcellReply(changed) });
    },
    async deleteWorkcell(call) {
      const found = unusedFor(call);
      if (isRefusal(found)) return found;
      await workcells.remove(found.id);
      return answer({ workcell: workcellReply(found) });
    },
    getDeck(call) {
      const found = foundFor(call);
      return isRefusal(found) ? found : answer({ deck: deckReply(runs, found) });
    },
    async setDeck(call) {
      const found = foundFor(call);
      if (isRefusal(found)) return found;
      const faults = deckFaults(found.instruments, call.body);
      if (faults.length > 0) return definitionRefusal(faults);
      const deck = deckContentsOf(call.body);
      const fault =
        runs.deckFault(found.id, call.body) ?? contradictionOf(runs.cell(), found, deck);
      if (fault !== null) return refuse('wrong_state', fault);
      const changed = await workcells.setDeck(found, deck, unitsOf(call.body));
      runs.deckChanged(found.id, call.body);
      return answer({ deck: deckReply(runs, changed) });
    },
  };
}
