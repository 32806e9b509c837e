/**
 * The open connections of a server, and their admission. Beyond the limit of an address, or of
 * all, the connection that has been idle longest without a valid session closes, and the new one
 * is served: clients that connect and send nothing, or send slowly, cannot shut out clients with a
 * session.
 */
import { limits } from '../../../contract/limits.ts';
import type { Connection } from './connection.ts';

/** Open connections of each server of this process, and of one address of them. */
let most: number = limits.connections;
let mostOfAddress: number = limits.connections_per_address;

/** Admits fewer connections, where the process can open no more files. */
export function admitAtMost(count: number): void {
  most = Math.min(count, limits.connections);
  mostOfAddress = Math.floor((most * limits.connections_per_address) / limits.connections);
}

/** The oldest of these connections that has no session; null if all have one. */
function oldestStranger(connections: Iterable<Connection>): Connection | null {
  for (const connection of connections) if (!connection.isKept) return connection;
  return null;
}

export class Connections {
  /** In the order in which they were accepted, with upgraded ones, which Node does not list. */
  private readonly open = new Set<Connection>();
  private readonly byAddress = new Map<string, Set<Connection>>();

  /** The number of open connections, including event streams. */
  get count(): number {
    return this.open.size;
  }

  /** Admits a connection, or closes it at once. */
  admit(connection: Connection): void {
    const { socket, address } = connection;
    // Its client has reset it before it was accepted: what it asked for is not wanted any more.
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const own = this.byAddress.get(address) ?? new Set();
    if (!this.makeRoom(own)) {
      socket.destroy();
      return;
    }
    this.open.add(connection);
    this.byAddress.set(address, own.add(connection));
    socket.once('close', () => this.forget(connection));
  }

  /** Closes all of them. */
  destroy(): void {
    for (const { socket } of this.open) socket.destroy();
  }

  /** Closes a connection to admit a new one of an address; false when there is none to close. */
  private makeRoom(own: ReadonlySet<Connection>): boolean {
    const isFull = this.open.size >= most;
    if (!isFull && own.size < mostOfAddress) return true;
    // When all are too many, the address with the most gives one up first.
    const crowded = [...this.byAddress.values()].reduce((a, b) => (b.size > a.size ? b : a), own);
    const closing =
      oldestStranger(isFull ? crowded : own) ?? (isFull ? oldestStranger(this.open) : null);
    if (!closing) return false;
    this.forget(closing);
    closing.socket.destroy();
    return true;
  }

  private forget(connection: Connection): void {
    const { address = '' } = connection;
    this.open.delete(connection);
    const own = this.byAddress.get(address);
    own?.delete(connection);
    if (own?.size === 0) this.byAddress.delete(address);
  }
}
