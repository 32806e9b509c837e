import { connect as connectSocket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { RawConnection, RawTcp } from '../../../conformance/raw-tcp.ts';
import { systemClock, wait } from '../../clock/wall-clock.ts';

/** Connects; data sent before the connection is open waits. */
function dial(url: string): RawConnection {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(port || (isSecure ? 443 : 80)) };
  const socket = isSecure
    ? connectSecurely({ ...target, servername: host })
    : connectSocket(target);
  let received = '';
  let isOpen = true;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  // Rules only look at `isOpen`.
  socket.on('error', () => {});
  socket.on('close', () => {
    isOpen = false;
  });
  return {
    send: (text) => void socket.write(text, 'latin1'),
    received: () => received,
    isOpen: () => isOpen,
    // A reset, as of a broken link: the service must tolerate it.
    close: () => void socket.resetAndDestroy(),
  };
}

/** Sockets and wall time of this machine, for rules that need more than an HTTP client. */
export const rawTcp: RawTcp = {
  dial,
  wait: (duration_s) => wait(systemClock, duration_s * 1000),
};
