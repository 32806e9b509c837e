import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Connection } from './connection.ts';
import { refuseOnSocket } from './error-response.ts';
import { HostPolicy } from './host-policy.ts';
import type { HttpServer } from './http-server.ts';
import { announcesBody } from './request-body.ts';

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Passes WebSocket handshakes on; answers those that no HTTP service may take. */
export function acceptUpgrades(
  server: HttpServer,
  listener: UpgradeListener,
  hosts = new HostPolicy([]),
): void {
  server.node.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const connection = Connection.of(socket);
    connection.noteHandshake(request);
    if (!connection.admitsStream(request)) return;
    connection.afterEarlierReplies(() => {
      const refusal = hosts.refusalOf(request);
      if (refusal) refuseOnSocket(socket, refusal.refused, String(refusal.details));
      else if (announcesBody(request)) {
        refuseOnSocket(socket, 'malformed_body', 'A WebSocket handshake has no body');
      } else {
        // Its answer keeps the connection as an event stream or ends it.
        connection.isKept = true;
        listener(request, socket, head);
      }
    });
  });
}
