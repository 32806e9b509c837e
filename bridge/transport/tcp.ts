/** The transport over a TCP socket, to a gateway at the arm or to the emulator. */
import { connect, type Socket } from 'node:net';
import { type Connection, createReconnectingTransport } from './reconnecting-transport.ts';
import type { BusTransport, ReceiveBytes } from './transport.ts';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

const CONNECT_MS = 3000;
/** Maximum of unsent bytes; more are dropped, as the peer does not read. */
const UNSENT_MAX = 16_384;

function dial(address: TcpAddress, receive: ReceiveBytes, lost: () => void): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.setNoDelay(true);
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('no answer')));
    socket.on('data', receive);
    socket.on('close', lost);
    socket.on('error', (error) => {
      const where = `tcp://${address.host}:${address.port}`;
      const advice = 'check the address, and that the gateway or emulator runs';
      reject(new Error(`No servo bus at ${where} (${error.message}): ${advice}`));
    });
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve({ write: (bytes) => write(socket, bytes), close: () => end(socket) });
    });
  });
}

function write(socket: Socket, bytes: Uint8Array): boolean {
  if (socket.destroyed || socket.writableLength > UNSENT_MAX) return false;
  socket.write(bytes.slice());
  return true;
}

function end(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
    socket.destroy();
  });
}

/** A transport to `address`, without Nagle's algorithm, reconnected after a loss. */
export function createTcpTransport(address: TcpAddress): BusTransport {
  const name = `tcp://${address.host}:${address.port}`;
  const line = createReconnectingTransport(name, (receive, lost) => {
    let up = false;
    const connection = dial(address, receive, () => {
      if (up) lost();
    });
    return connection.then((made) => {
      up = true;
      return made;
    });
  });
  return line;
}
