/** Writes the journal: sees every call to the arm, and notes it once it is answered. */
import type { Request, Response } from 'express';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { askedOf } from '../http/asked.ts';
import type { Simulation } from './simulation.ts';

/** The hand on the twin leaves no trace in the journal. */
const OWN_PATH = '/sim/';

/** The fingerprint of a JSON body: that of its canonical form; null for none, and for packages. */
function fingerprint(body: unknown): string | null {
  const isJson = typeof body === 'object' && body !== null && !ArrayBuffer.isView(body);
  return isJson ? hashToolpath(body) : null;
}

/** Notes each call when its reply has left, or its connection has. */
export function callWatch({ parts, journal }: Simulation) {
  const { wall, loop } = parts.rooms;
  return (request: Request, response: Response): void => {
    const { method, path } = request;
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
}
