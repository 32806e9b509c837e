import type { BusTransport, ReceiveBytes, WirePeer } from './transport.ts';

/** A transport to a peer in this process, without delay; for tests and the built-in emulator. */
export function createMemoryTransport(peer: WirePeer): BusTransport {
  let toPeer: ReceiveBytes | null = null;
  return {
    name: 'memory',
    async open(receive) {
      toPeer = peer.attach((bytes) => {
        if (toPeer) receive(bytes);
      });
    },
    write(bytes) {
      if (!toPeer) return false;
      toPeer(bytes.slice());
      return true;
    },
    async close() {
      toPeer = null;
    },
  };
}
