/**
 * What lies below HTTP, for the rules that want more than a client of HTTP can do: a socket that
 * sends any bytes, and wall time.
 */
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Ground, Wire } from '../../contract/rules/rule.ts';
import { systemClock, wait } from '../clock/wall-clock.ts';

/** Connects at once; what is sent before waits until the connection stands. */
function dial(url: string): Wire {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const to = { host, port: Number(port || (isSecure ? 443 : 80)) };
  const socket = isSecure ? connectSecurely({ ...to, servername: host }) : connect(to);
  let said = '';
  let isOpen = true;
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  // What matters is that it is closed.
  socket.on('error', () => {});
  socket.on('close', () => {
    isOpen = false;
  });
  return {
    send: (text) => void socket.write(text, 'latin1'),
    said: () => said,
    isOpen: () => isOpen,
    // Cut off, as by a link that breaks: a twin has to bear that.
    close: () => void socket.resetAndDestroy(),
  };
}

/** The machine's own sockets and time. */
export const ground: Ground = {
  dial,
  wait: (duration_s) => wait(systemClock, duration_s * 1000),
};
