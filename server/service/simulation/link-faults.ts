/** Looks the faults of connections up for what passes on one. */
import type { IncomingMessage } from 'node:http';
import { handshakeToken, identify } from '../http/authentication.ts';
import type { LinkFaults } from '../http/link.ts';
import type { Services } from '../http/services.ts';
import { protocolToken } from '../stream/upgrade.ts';
import { isControl } from './faults/connection-faults.ts';
import type { Simulation } from './simulation.ts';

/** The user whose request it is; null without a valid session. */
function userOf(request: IncomingMessage, services: Services): number | null {
  const secret = protocolToken(request) ?? handshakeToken(request);
  return typeof secret === 'string' ? (identify(secret, services)?.caller.user_id ?? null) : null;
}

/** The injected faults of connections, for the server that a simulation is part of. */
export function createLinkFaults({ parts, connectionFaults }: Simulation): LinkFaults {
  const { services } = parts;
  return {
    wall: services.wall,
    faultOf(request) {
      // Whose call it is costs a hash, which calls pay only while a fault is active.
      if (connectionFaults.isEmpty || isControl(request)) return null;
      return connectionFaults.match({ user_id: userOf(request, services) })?.() ?? null;
    },
  };
}
