import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { noteHandshake } from './banner.ts';
import { keepConnection } from './connections.ts';
import { refuseOnSocket } from './error-response.ts';
import { afterEarlierReplies } from './exchange.ts';
import { HostPolicy } from './host-policy.ts';
import { announcesBody } from './request-body.ts';

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Passes WebSocket handshakes on; answers those that no HTTP service may take. */
export function acceptUpgrades(
  server: Server,
  listener: UpgradeListener,
  hosts = new HostPolicy([]),
): void {
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    noteHandshake(request, socket);
    afterEarlierReplies(socket, () => {
      const refusal = hosts.refusalOf(request);
      if (refusal) refuseOnSocket(socket, refusal.refused, String(refusal.details));
      else if (announcesBody(request)) {
        refuseOnSocket(socket, 'malformed_body', 'A WebSocket handshake has no body');
      } else {
        // Its answer keeps the connection as an event stream or ends it.
        keepConnection(request.socket);
        listener(request, socket, head);
      }
    });
  });
}
