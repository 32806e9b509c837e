/**
 * The open connections of a server, and their admission. Beyond the limit of an address without a
 * session, or of all, the connection that has been idle longest without a valid session closes, and
 * the new one is served: clients that connect and send nothing, or send slowly, cannot shut out
 * clients with a session. Those with one are their user's, who has a share of them: some are always
 * left for new ones.
 */
import { limits } from '../../../contract/limits.ts';
import { shares } from '../../../contract/shares.ts';
import type { Claimant, Owner } from '../../shares/claimant.ts';
import { Share, type ShareRefusal } from '../../shares/share.ts';
import type { Connection } from './connection.ts';

/** Open connections of each server of this process, and of one address without a session. */
let most: number = limits.connections;
let mostOfAddress: number = limits.connections_per_address;

/** Admits fewer connections, where the process can open no more files. */
export function admitAtMost(count: number): void {
  most = Math.min(count, limits.connections);
  mostOfAddress = Math.floor((most * limits.connections_per_address) / limits.connections);
}

/** The share of users, where the process takes fewer connections. */
function userShare(): Share {
  const { total, forHolder, forAdmins, ...row } = shares.connections;
  const scaled = (count: number) => Math.floor((count * most) / limits.connections);
  return new Share({
    ...row,
    total: scaled(total),
    forHolder: scaled(forHolder),
    forAdmins: scaled(forAdmins),
  });
}

/** How many of these connections have no session. */
function strangersOf(connections: Iterable<Connection>): number {
  let count = 0;
  for (const connection of connections) if (!connection.isKept) count++;
  return count;
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
  /** The user of each connection with a session. */
  private readonly users = new Map<Connection, Owner>();
  readonly share: Share = userShare();

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

  /** Counts a connection as one of a user; returns why it may not be one more. */
  claim(connection: Connection, claimant: Claimant): ShareRefusal | null {
    const { owner } = claimant;
    const before = this.users.get(connection);
    if (before === owner || !this.open.has(connection)) return null;
    const refusal = this.share.refusal(claimant);
    if (refusal) return refusal;
    if (before !== undefined) this.share.add(before, -1);
    this.share.add(owner);
    this.users.set(connection, owner);
    return null;
  }

  /** Counts a connection as no user's. */
  release(connection: Connection): void {
    const owner = this.users.get(connection);
    this.users.delete(connection);
    if (owner !== undefined) this.share.add(owner, -1);
  }

  /** Closes all of them. */
  destroy(): void {
    for (const { socket } of this.open) socket.destroy();
  }

  /** Closes a connection to admit a new one of an address; false when there is none to close. */
  private makeRoom(own: ReadonlySet<Connection>): boolean {
    const isFull = this.open.size >= most;
    if (!isFull && strangersOf(own) < mostOfAddress) return true;
    // When all are too many, the address with the most strangers gives one up first.
    const crowded = [...this.byAddress.values()].reduce(
      (a, b) => (strangersOf(b) > strangersOf(a) ? b : a),
      own,
    );
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
    this.release(connection);
    const own = this.byAddress.get(address);
    own?.delete(connection);
    if (own?.size === 0) this.byAddress.delete(address);
  }
}
