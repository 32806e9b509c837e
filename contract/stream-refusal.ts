/** Refusals of handshakes of streams. */

import { type Refusal, refuse } from './refusal.ts';

/** The only version of WebSockets that is spoken (RFC 6455). */
const WEBSOCKET_VERSION = '13';

/** Refuses a handshake for another version of WebSockets, or null. */
export function versionRefusal(version: string | undefined): Refusal<'upgrade_required'> | null {
  if (version === WEBSOCKET_VERSION) return null;
  const details = `Sec-WebSocket-Version must be ${WEBSOCKET_VERSION}`;
  return refuse('upgrade_required', details);
}
