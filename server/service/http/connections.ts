/**
 * The open connections of a server, and their admission. Beyond the limit of an address, or of
 * all, the connection that has been idle longest without a valid session closes, and the new one
 * is served: clients that connect and send nothing, or send slowly, cannot shut out clients with a
 * session.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../../../contract/limits.ts';

/** The number of open connections, including event streams. */
export function connectionCount(server: Server): number {
  return openConnections(server)?.size ?? 0;
}

/** Open connections of a server, in the order in which they were accepted. */
interface Connections {
  readonly open: Set<Socket>;
  readonly byAddress: Map<string, Set<Socket>>;
}

const connectionsOf = new WeakMap<Server, Connections>();

/** Connections with a valid session, and event streams. */
const kept = new WeakSet<Socket>();

/** Marks a connection as one of a known client. */
export function keepConnection(socket: Socket): void {
  kept.add(socket);
}

/** The open connections of a server, including upgraded ones, which Node does not list. */
export function openConnections(server: Server): ReadonlySet<Socket> | undefined {
  return connectionsOf.get(server)?.open;
}

/** The oldest of these connections that has no session; null if all have one. */
function oldestStranger(sockets: Iterable<Socket>): Socket | null {
  for (const socket of sockets) if (!kept.has(socket)) return socket;
  return null;
}

/** Open connections of each server of this process, and of one address of them. */
let most: number = limits.connections;
let mostOfAddress: number = limits.connections_per_address;

/** Admits fewer connections, where the process can open no more files. */
export function admitAtMost(count: number): void {
  most = Math.min(count, limits.connections);
  mostOfAddress = Math.floor((most * limits.connections_per_address) / limits.connections);
}

/** Closes a connection to admit a new one of an address; false when there is none to close. */
function makeRoom({ open, byAddress }: Connections, own: ReadonlySet<Socket>): boolean {
  const isFull = open.size >= most;
  if (!isFull && own.size < mostOfAddress) return true;
  // When all are too many, the address with the most gives one up first.
  const crowded = [...byAddress.values()].reduce((a, b) => (b.size > a.size ? b : a), own);
  const closing = oldestStranger(isFull ? crowded : own) ?? (isFull ? oldestStranger(open) : null);
  if (!closing) return false;
  forget({ open, byAddress }, closing);
  closing.destroy();
  return true;
}

const addresses = new WeakMap<Socket, string>();

function forget({ open, byAddress }: Connections, socket: Socket): void {
  open.delete(socket);
  const address = addresses.get(socket) ?? '';
  const own = byAddress.get(address);
  own?.delete(socket);
  if (own?.size === 0) byAddress.delete(address);
}

/** Tracks the connections of a server and holds them to the limits. */
export function admitConnections(server: Server): void {
  const connections: Connections = { open: new Set(), byAddress: new Map() };
  connectionsOf.set(server, connections);
  server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    // Its client has reset it before it was accepted: what it asked for is not wanted any more.
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const own = connections.byAddress.get(address) ?? new Set();
    if (!makeRoom(connections, own)) {
      socket.destroy();
      return;
    }
    addresses.set(socket, address);
    connections.open.add(socket);
    connections.byAddress.set(address, own.add(socket));
    socket.once('close', () => forget(connections, socket));
  });
}
