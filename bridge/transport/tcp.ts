/**
 * The transport over a TCP socket, to a gateway at the arm or to the emulator. Also: servers that
 * make a peer of this process reachable.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { delay, systemBusClock } from './bus-clock.ts';
import type { BusTransport, ReceiveBytes, WirePeer } from './transport.ts';
import { type Connection, createReconnectingTransport, type Lost } from './transport.ts';

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

/**
 * Servers that make a peer of this process, such as the servo emulator, reachable for other
 * programs: over a TCP socket, or over a pseudo terminal (made by socat) for programs that only
 * know serial ports.
 */

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

const TRIES = 100;
const TRY_MS = 20;

/** Serves `peer` on a pseudo terminal at path `link`; rejects with a message without socat. */
export async function servePtyPeer(
  peer: WirePeer,
  link: string,
): Promise<{ readonly close: () => Promise<void> }> {
  const { port, close: closePeer } = await serveTcpPeer(peer, 0);
  const socat = spawn('socat', [`pty,raw,echo=0,link=${link}`, `tcp:127.0.0.1:${port},nodelay`]);
  let problem: string | null = null;
  socat.once('error', () => {
    problem = 'A pseudo terminal needs socat: install socat, or use --tcp';
  });
  socat.once('exit', () => {
    problem ??= `socat could not create ${link}: check the write permission of its folder`;
  });
  for (let i = 0; i < TRIES && problem === null && !existsSync(link); i++) {
    await delay(systemBusClock, TRY_MS);
  }
  const close = async () => {
    socat.kill();
    await closePeer();
  };
  if (problem === null) return { close };
  await close();
  throw new Error(problem);
}
