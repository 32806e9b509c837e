/** The HTTP server: timeouts and limits of limits.ts, and its start and end. */
import { createServer, type Server } from 'node:http';
import { limits } from '../../../contract/limits.ts';
import { refuse } from '../../../contract/refusal.ts';
import { systemClock, type WallClock } from '../../clock/wall-clock.ts';
import { ApiRequest } from './api-request.ts';
import type { Banner } from './banner.ts';
import { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { refuseOnSocket, sendRefusal } from './error-response.ts';
import type { LinkFaults } from './link.ts';
import { refuseMalformedRequest } from './malformed-requests.ts';
import type { RequestGate } from './request-gate.ts';

export class HttpServer {
  readonly node: Server;
  readonly connections = new Connections();
  /** What its replies carry from now on; null: nothing. */
  banner: Banner | null = null;
  /** The injected faults of its connections; null: none can be injected. */
  linkFaults: LinkFaults | null = null;

  /** Creates a server with the limits of limits.ts; the gate answers its requests. */
  constructor(gate: RequestGate, wall: WallClock = systemClock) {
    this.node = createServer(
      {
        headersTimeout: limits.headers_s * 1000,
        requestTimeout: limits.request_s * 1000,
        connectionsCheckingInterval: limits.connections_check_s * 1000,
        keepAliveTimeout: limits.keep_alive_s * 1000,
        // The gate checks it, to answer in the API's error format.
        requireHostHeader: false,
        IncomingMessage: ApiRequest,
      },
      (request, response) => {
        const connection = Connection.of(request.socket);
        const exchange = connection.begin(request, response);
        if (connection.admits(exchange)) gate.listener(exchange);
      },
    );
    this.node.on('connection', (socket) => this.connections.admit(new Connection(socket, this)));
    this.limitTime(wall);
    this.refuseOtherProtocols();
  }

  /**
   * Closes connections without traffic for `limits.connection_idle_s`, answered ones after
   * `limits.keep_alive_s`, and answers late requests: Node's own timeouts cover only headers and
   * whole requests, the latter in minutes. Event streams use pings instead.
   */
  private limitTime(wall: WallClock): void {
    this.node.setTimeout(limits.connection_idle_s * 1000, (socket) => {
      Connection.of(socket).closeIdle(wall);
    });
    this.node.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const connection = Connection.of(socket);
      const refusal = () => refuseMalformedRequest(error, connection);
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') connection.unlessArrived(wall, refusal);
      else refusal();
    });
  }

  /** Answers tunnels and unknown expectations, which Node answers without a body or not at all. */
  private refuseOtherProtocols(): void {
    this.node.on('connect', (request, socket) => {
      socket.on('error', () => socket.destroy());
      const connection = Connection.of(socket);
      connection.noteHandshake(request);
      connection.afterEarlierReplies(() => {
        refuseOnSocket(socket, 'method_not_allowed', 'CONNECT: this service is not a proxy');
      });
    });
    this.node.on('checkExpectation', (request, response) => {
      Connection.of(request.socket).identify(request, response);
      const details = `Expect: ${request.headers.expect}; only 100-continue is known`;
      sendRefusal(response, refuse('unknown_expectation', details));
    });
  }

  /** The address that it listens on; a wildcard address stands for every interface. */
  get address(): string {
    const address = this.node.address();
    return typeof address === 'object' && address ? address.address : '';
  }

  /** Listens; resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.node.once('error', reject);
      this.node.listen({ port, host, backlog: limits.accept_backlog }, () => {
        this.node.off('error', reject);
        const address = this.node.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /** Stops accepting connections; resolves when all are closed, by force after `limits.drain_s`. */
  close(wall: WallClock): Promise<void> {
    return new Promise((resolve) => {
      const cancel = wall.afterUnreferenced(limits.drain_s * 1000, () =>
        this.connections.destroy(),
      );
      this.node.close(() => {
        cancel();
        resolve();
      });
      this.node.closeIdleConnections();
    });
  }
}
