/** The other end of TCP lines: lets a peer of this process be reached over a socket. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { WirePeer } from './transport.ts';

export interface ServedPeer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `peer` on 127.0.0.1; port 0 takes a free one. */
export function serveTcpPeer(peer: WirePeer, port: number): Promise<ServedPeer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    const receive = peer.attach((bytes) => {
      if (!socket.destroyed) socket.write(bytes.slice());
    });
    socket.on('data', receive);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}
