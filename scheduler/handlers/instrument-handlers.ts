import type { Handlers } from '../../server/service/http/handler.ts';
import { EMPTY } from '../../server/service/http/reply.ts';
import type { Runs } from '../run/runs.ts';

/** Returns the simulation control handlers of instruments. */
export function instrumentHandlers(runs: Runs): Handlers {
  return {
    setInstrument({ body }) {
      runs.setInstrument(body.instrument_id, body.is_up);
      return EMPTY;
    },
  };
}
