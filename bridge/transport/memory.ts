/** A line without a wire: what is sent is there at once. For tests and for the emulator inside. */
import type { Receive, Transport, WirePeer } from './transport.ts';

/** A line to a peer in this process. */
export function createMemoryTransport(peer: WirePeer): Transport {
  let toPeer: Receive | null = null;
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
