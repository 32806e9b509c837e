/** Refusals of those who open a stream. */

import { limits } from './limits.ts';
import { type Refusal, refuse } from './refusal.ts';

/** The only version of WebSockets that is spoken (RFC 6455). */
const WEBSOCKET_VERSION = '13';

/** Refuses a handshake for another version of WebSockets, or null. */
export function versionRefusal(version: string | undefined): Refusal<'upgrade_required'> | null {
  if (version === WEBSOCKET_VERSION) return null;
  const details = `Sec-WebSocket-Version must be ${WEBSOCKET_VERSION}`;
  return refuse('upgrade_required', details);
}

/**
 * Refuses a user another stream beyond a fair share, or null; `owners` has the user of each open
 * stream of the kind. A user without one always gets it: others cannot lock anyone out.
 */
export function streamRefusal(
  user_id: number,
  owners: readonly number[],
): Refusal<'too_many_streams'> | null {
  const own = owners.filter((owner) => owner === user_id).length;
  if (own === 0) return null;
  if (own >= limits.stream_subscribers_per_user) {
    return refuse('too_many_streams', `You have ${own} of them, the limit; close one first`);
  }
  if (owners.length < limits.stream_subscribers) return null;
  return refuse('too_many_streams', `All ${owners.length} are in use; close one of yours first`);
}
