/**
 * Watches the calls to the arm: writes the journal once they are answered, and holds back the
 * replies that a fault shall delay or drop.
 */
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { waitUnreferenced } from '../clock/wall-clock.ts';
import type { ApplicationOptions } from '../http/application.ts';
import { askedOf } from '../http/asked.ts';
import { pathOf } from '../http/pipeline.ts';
import type { Simulation } from './simulation.ts';

/** The hand on the twin leaves no trace in the journal. */
const OWN_PATH = '/sim/';

/** The fingerprint of a JSON body: that of its canonical form; null for none, and for packages. */
function fingerprint(body: unknown): string | null {
  const isJson = typeof body === 'object' && body !== null && !ArrayBuffer.isView(body);
  return isJson ? hashToolpath(body) : null;
}

type CallWatch = Required<Pick<ApplicationOptions, 'watch' | 'beforeReply'>>;

/** Notes each call when its reply has left, or its connection has. */
export function callWatch({ parts, journal, fateOfReply }: Simulation): CallWatch {
  const { wall, loop } = parts.rooms;
  const watch: CallWatch['watch'] = (request, response) => {
    const { method = '' } = request;
    const path = pathOf(request.url);
    if (path.startsWith(OWN_PATH)) return;
    const began_ms = wall.now_ms();
    const { tick } = loop;
    response.once('close', () => {
      const { user_id, body } = askedOf(response);
      const duration_ms = wall.now_ms() - began_ms;
      const { statusCode: status } = response;
      journal.note({
        method,
        path,
        user_id,
        body_sha256: fingerprint(body),
        status,
        duration_ms,
        tick,
      });
    });
  };
  return {
    watch,
    beforeReply({ method, path }) {
      const fate = path.startsWith(OWN_PATH) ? null : fateOfReply({ method, path });
      if (fate === null) return true;
      return fate === 'drop' ? false : waitUnreferenced(wall, fate.delay_s * 1000).then(() => true);
    },
  };
}
