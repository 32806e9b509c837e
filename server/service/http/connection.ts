/** A connection of a client: whose it is, and its exchanges, which are answered in order. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { limits } from '../../../contract/limits.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { Claimant } from '../../shares/claimant.ts';
import type { ShareRefusal } from '../../shares/share.ts';
import { BANNER, type Banner } from './banner.ts';
import { Exchange } from './exchange.ts';
import { Link, type LinkFault, type LinkFaults, resetSocket } from './link.ts';

const CONNECTION = Symbol('connection');

const ANNOUNCED = `timeout=${limits.keep_alive_announced_s}`;

/** A socket of Node, which leads to its connection. */
type ClientSocket = Duplex & {
  readonly remoteAddress?: string | undefined;
  /** How Node closes it after a last reply. */
  destroySoon?(): void;
  [CONNECTION]?: Connection;
};

/** What a connection asks its server. */
interface ConnectionServer {
  /** What its replies say of it now; null: nothing. */
  readonly banner: Banner | null;
  readonly connections: {
    /** Counts a connection as one of a user; returns why it may not be one more. */
    claim(connection: Connection, claimant: Claimant): ShareRefusal | null;
    /** Counts it as no user's. */
    release(connection: Connection): void;
  };
  /** The injected faults of connections; null where none can be injected. */
  readonly linkFaults: LinkFaults | null;
}

export class Connection {
  readonly socket: Duplex;
  /** Address of the client; undefined if the client had reset the connection before it came. */
  readonly address: string | undefined;
  /** One of a known client: its call had a valid session, or it is an event stream. */
  isKept = false;
  /** A malformed request was answered, and with it everything that follows. */
  isRefused = false;
  private readonly server: ConnectionServer | null;
  /** The headers of a handshake, whose answer is not a `ServerResponse`. */
  private handshake: IncomingHttpHeaders = {};
  /** The handshake of the stream that it carries; null: it carries calls. */
  private stream: IncomingMessage | null = null;
  /** Below the socket, once a fault can act on it. */
  private link: Link | null = null;
  /** Those without a whole reply, in order, and the latest. */
  private exchanges: readonly Exchange[] = [];

  constructor(socket: ClientSocket, server: ConnectionServer | null) {
    this.socket = socket;
    this.address = socket.remoteAddress;
    this.server = server;
    socket[CONNECTION] = this;
    this.closeInTwoSteps(socket);
  }

  /**
   * After a last reply that came before the whole body, only the twin's side closes, until the body
   * was received or its time is over: Node would close both, the system answers what arrives then
   * with a reset, and a client or proxy that still sends loses the reply (RFC 9112, 9.6).
   */
  private closeInTwoSteps(socket: ClientSocket): void {
    const close = socket.destroySoon;
    if (!close) return;
    socket.destroySoon = () => {
      const request = this.latest?.request;
      if (!request || request.complete) return close.call(socket);
      socket.end();
      request.once('end', () => close.call(socket));
    };
  }

  /** The connection of a socket; one of no server if no `HttpServer` has accepted it. */
  static of(socket: Duplex): Connection {
    return (socket as ClientSocket)[CONNECTION] ?? new Connection(socket, null);
  }

  /** A request has arrived; its reply will carry the banner. */
  begin(request: IncomingMessage, response: ServerResponse): Exchange {
    this.identify(request, response);
    const exchange = new Exchange(this, request, response);
    const open = this.exchanges.filter((earlier) => !earlier.isAnswered);
    this.exchanges = [...open, exchange];
    return exchange;
  }

  /** Whether an injected fault lets the request of an exchange through; else nobody answers it. */
  admits(exchange: Exchange): boolean {
    exchange.fault = this.faultOf(exchange.request);
    return this.passes(exchange.fault);
  }

  /** Whether an injected fault lets the handshake of a stream through. */
  admitsStream(request: IncomingMessage): boolean {
    const isThrough = this.passes(this.faultOf(request));
    this.stream = request;
    return isThrough;
  }

  /** The fault of what arrives or is a message; lays the link on which it acts. */
  private faultOf(request: IncomingMessage): LinkFault | null {
    const faults = this.server?.linkFaults;
    if (!faults) return null;
    this.link ??= new Link(this.socket, faults.wall, () =>
      this.stream ? faults.faultOf(this.stream) : (this.answered?.fault ?? null),
    );
    return faults.faultOf(request);
  }

  private passes(fault: LinkFault | null): boolean {
    if (fault?.effect === 'reset') resetSocket(this.socket);
    if (fault?.effect === 'half_open') this.link?.silence(fault);
    return fault?.effect !== 'reset' && !this.link?.isSilent;
  }

  /** The exchange whose reply is sent now: they are answered in order. */
  private get answered(): Exchange | undefined {
    return this.exchanges.find((exchange) => !exchange.isAnswered);
  }

  /** It is a connection of this user from now on; returns why it may not be one more. */
  claim(claimant: Claimant): ShareRefusal | null {
    const refusal = this.server?.connections.claim(this, claimant) ?? null;
    if (!refusal) this.isKept = true;
    return refusal;
  }

  /** It is nobody's connection until the next call; it stays a known one. */
  release(): void {
    this.server?.connections.release(this);
  }

  /** Sets the banner of a reply, and how long the connection is good for further requests. */
  identify({ headers }: IncomingMessage, response: ServerResponse): void {
    const banner = this.server?.banner;
    if (banner) response.setHeader(BANNER, banner(headers));
    if (response.shouldKeepAlive) response.setHeader('Keep-Alive', ANNOUNCED);
  }

  /** Remembers the headers of a handshake, for the banner of its answer. */
  noteHandshake({ headers }: IncomingMessage): void {
    this.handshake = headers;
  }

  /** The header line of an answer that is written to the socket; none without a banner. */
  get bannerLines(): string[] {
    const banner = this.server?.banner;
    return banner ? [`${BANNER}: ${banner(this.handshake)}`] : [];
  }

  private get latest(): Exchange | undefined {
    return this.exchanges.at(-1);
  }

  /** Whether the latest request was answered before its body was complete. */
  get isAnsweredEarly(): boolean {
    const { latest } = this;
    return latest !== undefined && !latest.request.complete && latest.response.headersSent;
  }

  /**
   * Calls back unless a request, or the rest of one, has arrived and was not yet read: after a
   * stall of this process Node counts the time of the stall as the client's.
   */
  unlessArrived(wall: WallClock, task: () => void): void {
    const { latest } = this;
    const isComplete = latest?.request.complete;
    // The second time comes after a whole turn of the event loop, wherever this one stands.
    wall.soon(() =>
      wall.soon(() => {
        if (this.latest === latest && latest?.request.complete === isComplete) task();
      }),
    );
  }

  /**
   * Closes the connection, on which nothing has moved for its time, except while a call is read or
   * handled: that has its own limits.
   */
  closeIdle(wall: WallClock): void {
    this.unlessArrived(wall, () => {
      const isBusy = this.latest !== undefined && !this.latest.response.writableEnded;
      if (this.link?.isBusy || this.link?.isSilent) return;
      // What waits in the socket is a reply that the client does not read.
      if (!isBusy || this.socket.writableLength > 0) this.socket.destroy();
    });
  }

  /**
   * Calls back once the earlier requests are answered, at once if there are none; not if the
   * connection closes with their replies. A reply that Node does not put in order would otherwise
   * overtake theirs, and its client would take it for theirs. A request whose body is malformed is
   * not one of the earlier ones.
   */
  afterEarlierReplies(task: () => void): void {
    const isAwaited = (exchange: Exchange) => exchange.request.complete && !exchange.isAnswered;
    const last = this.exchanges.filter(isAwaited).at(-1);
    if (!last) task();
    else {
      last.response.once('close', () => {
        if (this.socket.writable) task();
      });
    }
  }
}
