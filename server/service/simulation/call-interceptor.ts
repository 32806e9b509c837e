/**
 * Intercepts the calls to the arm's API: records each in the journal once it is answered, and
 * delays or drops replies as injected faults demand.
 */

import { waitUnreferenced } from '../../clock/wall-clock.ts';
import type { ApplicationOptions } from '../http/application-options.ts';
import { pathOf } from '../http/request-target.ts';
import type { Simulation } from './simulation.ts';

/** Calls of the simulation control API are not recorded. */
const SIMULATION_PATH = '/sim/';

type CallInterceptor = Required<
  Pick<ApplicationOptions, 'watch' | 'beforeReply' | 'needsBodyHash'>
>;

/** Creates the interceptor; a call is recorded when its response or connection closes. */
export function createCallInterceptor({
  parts,
  journal,
  replyFaults,
}: Simulation): CallInterceptor {
  const { wall, loop } = parts.services;
  const watch: CallInterceptor['watch'] = (exchange) => {
    const { request, response } = exchange;
    const { method = '' } = request;
    const path = pathOf(request.url);
    if (path.startsWith(SIMULATION_PATH)) return;
    const started_ms = wall.now_ms();
    const { tick } = loop;
    response.once('close', () => {
      const { user_id, body_sha256 } = exchange;
      const duration_ms = wall.now_ms() - started_ms;
      const { statusCode: status } = response;
      journal.record({
        method,
        path,
        user_id,
        body_sha256,
        status,
        duration_ms,
        tick,
      });
    });
  };
  return {
    watch,
    needsBodyHash: ({ path }) => !path.startsWith(SIMULATION_PATH),
    beforeReply({ method, path }) {
      const fault = path.startsWith(SIMULATION_PATH) ? null : replyFaults.match({ method, path });
      if (fault === null) return true;
      return fault === 'drop'
        ? false
        : waitUnreferenced(wall, fault.delay_s * 1000).then(() => true);
    },
  };
}
