/** A servo bus behind a TCP socket: a gateway at the arm, or the emulator. */
import { connect, type Socket } from 'node:net';
import { type Connection, createLastingLine } from './lasting-line.ts';
import type { Receive, Transport } from './transport.ts';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

const CONNECT_MS = 3000;
/** A peer that does not read is a lost one: no more than this waits to be sent (bytes). */
const UNSENT_MAX = 16_384;

function dial(address: TcpAddress, receive: Receive, lost: () => void): Promise<Connection> {
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

/** A line to `address`, without the delay that joins small packets, dialled again when lost. */
export function createTcpTransport(address: TcpAddress): Transport {
  const name = `tcp://${address.host}:${address.port}`;
  const line = createLastingLine(name, (receive, lost) => {
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
