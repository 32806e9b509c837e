/** The transport over a TCP socket, to a gateway at the arm or to the emulator. */

import { connect, type Socket } from 'node:net';
import {
  type Connection,
  createReconnectingTransport,
  type Lost,
} from './reconnecting-transport.ts';
import type { BusTransport, ReceiveBytes } from './transport.ts';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

const CONNECT_MS = 3000;

function dial(address: TcpAddress, receive: ReceiveBytes, lost: Lost): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.setNoDelay(true);
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('no answer')));
    socket.on('data', receive);
    let why = 'the gateway closed it';
    socket.on('close', () => lost(why));
    socket.on('error', (error) => {
      why = error.message;
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

/** Drops what the system does not take at once, as the peer does not read. */
function write(socket: Socket, bytes: Uint8Array): boolean {
  if (socket.destroyed || socket.writableLength > 0) return false;
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

/** A gateway with another user ends a connection this soon (ms), with less than this (bytes). */
const REFUSED_MS = 1000;
const REFUSAL_BYTES = 120;

/** A gateway that closes a connection at once has another user; says so with what it sent. */
function refusalText(name: string, said: Uint8Array): string {
  const words = Buffer.from(said)
    .toString('latin1')
    .replace(/[^ -~]/g, '')
    .trim();
  const what = `The gateway ${name} closes the connection at once`;
  const remedy = 'stop the program that has it, or use another line';
  return `${what}${words && `, and says "${words}"`}: ${remedy}`;
}

/** A transport to `address`, without Nagle's algorithm, reconnected after a loss. */
export function createTcpTransport(address: TcpAddress): BusTransport {
  const name = `tcp://${address.host}:${address.port}`;
  let problem: string | null = null;
  const line = createReconnectingTransport(name, (receive, lost) => {
    let up = false;
    let said = new Uint8Array(0);
    let dialled_ms = 0;
    const take = (bytes: Uint8Array) => {
      if (said.length <= REFUSAL_BYTES) said = Uint8Array.of(...said, ...bytes);
      else problem = null;
      receive(bytes);
    };
    const connection = dial(address, take, (reason) => {
      const isEarly = performance.now() - dialled_ms < REFUSED_MS;
      if (up && isEarly && said.length <= REFUSAL_BYTES) problem = refusalText(name, said);
      if (up) lost(reason);
    });
    return connection.then((made) => {
      up = true;
      dialled_ms = performance.now();
      return made;
    });
  });
  return {
    name,
    get problem() {
      return problem ?? line.problem ?? null;
    },
    watch: (report) => line.watch?.(report),
    open: (receive) => line.open(receive),
    write: (bytes) => line.write(bytes),
    close: () => line.close(),
  };
}
