/**
 * A server that makes a peer of this process, such as the servo emulator, reachable for other
 * programs over a TCP socket.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { delay, systemBusClock } from './bus-clock.ts';
import type { WirePeer } from './transport.ts';

export interface ServedPeer {
  readonly port: number;
  close(): Promise<void>;
}

/** Wait for the end of a connection that is closing, before another one is refused (ms). */
const CLOSING_MS = 100;

/** The one connection of a line, as a serial port has one user; others are refused by name. */
class OneConnection {
  private user: Socket | null = null;
  private readonly peer: WirePeer;

  constructor(peer: WirePeer) {
    this.peer = peer;
  }

  async take(socket: Socket): Promise<void> {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    if (this.user) await delay(systemBusClock, CLOSING_MS);
    if (this.user) {
      const { remoteAddress, remotePort } = this.user;
      socket.end(`in use by ${remoteAddress}:${remotePort}\r\n`);
      return;
    }
    this.user = socket;
    socket.on('close', () => {
      this.user = null;
    });
    const receive = this.peer.attach((bytes) => {
      if (!socket.destroyed) socket.write(bytes.slice());
    });
    socket.on('data', receive);
  }
}

/** Serves `peer` on 127.0.0.1 to one connection at a time; port 0 chooses a free port. */
export function serveTcpPeer(peer: WirePeer, port: number): Promise<ServedPeer> {
  const sockets = new Set<Socket>();
  const line = new OneConnection(peer);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    void line.take(socket);
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
