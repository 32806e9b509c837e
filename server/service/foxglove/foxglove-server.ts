/**
 * The live connection for Foxglove (`--foxglove`): a WebSocket server of its own port that speaks
 * Foxglove's protocol. A client names an API token in its address (`?token=`), which makes a
 * session as a log-in does, or sends a session token in the header Authorization; the connection
 * ends with the session.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { limits } from '../../../contract/limits.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { Cancel } from '../../clock/wall-clock.ts';
import { refuseOnSocket, sendRefusal } from '../http/error-response.ts';
import type { Handlers } from '../http/handler.ts';
import { acceptUpgrades } from '../http/handshakes.ts';
import type { HostPolicy } from '../http/host-policy.ts';
import { HttpServer } from '../http/http-server.ts';
import { RequestGate } from '../http/request-gate.ts';
import type { Services } from '../http/services.ts';
import { admit, PROTOCOLS } from './handshake.ts';
import { LiveChannels, type LiveSource } from './live-channels.ts';
import { type ClientRequests, LiveClient, type ServiceCall, timeFrame } from './live-client.ts';
import { LiveOperations } from './live-operations.ts';

export interface FoxgloveParts extends LiveSource {
  readonly host: string;
  readonly port: number;
  readonly hosts: HostPolicy;
  readonly services: Services;
  /** Handlers of /sim/v1; null where it is disabled. */
  readonly handlers: Handlers | null;
  readonly driver: string;
  /** Product and version. */
  readonly product: string;
  readonly onBug: (error: unknown) => void;
}

/** Least wall time between two rounds of telemetry (ms): 50 Hz. */
const ROUND_MS = 20;
/** Wall time (ms) after a message of changes until one of the whole content, for new panels. */
const WHOLE_MS = 250;

/** The live connection: its clients, and the rounds in which channels are published. */
class LiveServer implements ClientRequests {
  readonly clients = new Set<LiveClient>();
  private readonly parts: FoxgloveParts;
  private readonly channels: LiveChannels;
  private readonly operations: LiveOperations;
  private lastRound_ms = 0;
  private cancelRound: Cancel | null = null;
  private cancelWhole: Cancel | null = null;
  private sentParameters = new Map<string, unknown>();
  private unsubscribe: (() => void) | null = null;

  constructor(parts: FoxgloveParts) {
    this.parts = parts;
    this.operations = new LiveOperations(parts);
    this.channels = new LiveChannels(parts, {
      onChange: () => this.scheduleRound(),
      onLog: (id, data) => this.publish(this.subscribed(id), id, () => data),
    });
  }

  /** Introduces itself to a new client; the loop is followed only while there are clients. */
  add(client: LiveClient): void {
    const { driver, product, services } = this.parts;
    this.unsubscribe ??= services.loop.subscribe(this.channels);
    this.clients.add(client);
    const callable = this.operations.advertised(client);
    const more = callable.length > 0 ? ['services'] : [];
    client.send({
      op: 'serverInfo',
      name: `armtwin: ${services.database.name}`,
      capabilities: ['time', 'parameters', 'parametersSubscribe', ...more],
      supportedEncodings: ['json'],
      metadata: { product, driver },
    });
    client.send({ op: 'advertise', channels: this.channels.advertised() });
    if (callable.length > 0) client.send({ op: 'advertiseServices', services: callable });
    client.time(timeFrame(this.channels.time_ns));
  }

  remove(client: LiveClient): void {
    this.clients.delete(client);
    if (this.clients.size > 0) return;
    this.unsubscribe?.();
    this.unsubscribe = null;
    this.cancelRound?.();
    this.cancelRound = null;
    this.cancelWhole?.();
    this.cancelWhole = null;
  }

  onSubscribe(client: LiveClient, channel_id: number): void {
    const data = this.channels.newest(channel_id);
    if (data) client.publish(channel_id, data, this.channels.time_ns);
    if (channel_id >= this.channels.topics.length || channel_id < 0) {
      client.status('error', `There is no channel ${channel_id}`);
    }
  }

  onGetParameters(client: LiveClient, names: readonly string[], id: string | undefined): void {
    this.sendParameters(client, names, id);
  }

  onSetParameters(
    client: LiveClient,
    values: ReadonlyMap<string, unknown>,
    id: string | undefined,
  ): void {
    void this.operations.set(client, values).then((problem) => {
      if (problem !== null) client.status('error', problem);
      if (id !== undefined) this.sendParameters(client, [...values.keys()], id);
      this.sendChangedParameters();
    });
  }

  onCall(client: LiveClient, call: ServiceCall): void {
    void this.operations.call(client, call);
  }

  /** Sends parameters; no name stands for all of them. */
  private sendParameters(client: LiveClient, names: readonly string[], id?: string): void {
    const all = this.operations.parameters();
    const wanted = names.length === 0 ? [...all.keys()] : names.filter((name) => all.has(name));
    const parameters = wanted.map((name) => ({ name, value: all.get(name) }));
    client.send({ op: 'parameterValues', parameters, ...(id !== undefined && { id }) });
  }

  private sendChangedParameters(): void {
    const now = this.operations.parameters();
    const changed = [...now].filter(([name, value]) => this.sentParameters.get(name) !== value);
    this.sentParameters = new Map(now);
    for (const client of this.clients) {
      const parameters = changed
        .filter(([name]) => client.watched.has(name))
        .map(([name, value]) => ({ name, value }));
      if (parameters.length > 0) client.send({ op: 'parameterValues', parameters });
    }
  }

  /** Runs a round now, or once the least time since the last one has passed. */
  private scheduleRound(): void {
    if (this.cancelRound !== null) return;
    const { wall } = this.parts.services;
    const wait_ms = this.lastRound_ms + ROUND_MS - wall.now_ms();
    if (wait_ms <= 0) {
      this.round();
      return;
    }
    this.cancelRound = wall.afterUnreferenced(Math.ceil(wait_ms), () => {
      this.cancelRound = null;
      this.round();
    });
  }

  private round(): void {
    this.lastRound_ms = this.parts.services.wall.now_ms();
    const time = timeFrame(this.channels.time_ns);
    for (const client of this.clients) client.time(time);
    const changed = new Set(this.channels.takeChanged());
    this.channels.topics.forEach((_, id) => {
      const subscribed = this.subscribed(id);
      const [late, current] = [true, false].map((is) =>
        subscribed.filter(({ overdue }) => overdue.has(id) === is),
      );
      this.publish(late!, id, () => this.channels.newest(id));
      if (!changed.has(id)) return;
      this.publish(current!, id, () => this.channels.changes(id));
      if (current!.length > 0 && this.channels.hasChanges(id)) this.scheduleWhole();
    });
    this.sendChangedParameters();
    if ([...this.clients].some(({ overdue }) => overdue.size > 0)) this.scheduleRound();
  }

  /** Clients keep the last message of a channel for panels that open later. */
  private scheduleWhole(): void {
    this.cancelWhole ??= this.parts.services.wall.afterUnreferenced(WHOLE_MS, () => {
      this.cancelWhole = null;
      this.channels.topics.forEach((_, id) => {
        if (!this.channels.hasChanges(id)) return;
        this.publish(this.subscribed(id), id, () => this.channels.newest(id));
      });
    });
  }

  private subscribed(id: number): readonly LiveClient[] {
    return [...this.clients].filter((client) => client.hasSubscribed(id));
  }

  private publish(clients: readonly LiveClient[], id: number, build: () => Buffer | null): void {
    const data = clients.length > 0 ? build() : null;
    if (data) for (const client of clients) client.publish(id, data, this.channels.time_ns);
  }
}

/** Creates the listener of handshakes. */
function createHandshake(live: LiveServer, { services }: FoxgloveParts) {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.stream_message_bytes,
    handleProtocols: (offered) => PROTOCOLS.find((name) => offered.has(name)) ?? false,
  });
  sockets.on('wsClientError', (error, socket) => {
    refuseOnSocket(socket, 'malformed_body', error.message);
  });
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const owners = [...live.clients].map(({ caller }) => caller.user_id);
    const identity = admit(request, owners, services);
    if ('refused' in identity) {
      refuseOnSocket(socket, identity.refused, String(identity.details));
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const client = new LiveClient(webSocket, identity, live);
      live.add(client);
      webSocket.on('close', () => live.remove(client));
    });
  };
}

/** A running live connection. */
export interface FoxgloveServer {
  readonly server: HttpServer;
  readonly port: number;
  close(): Promise<void>;
}

/** Opens the live connection; rejects when the port cannot be used. */
export async function startFoxgloveServer(parts: FoxgloveParts): Promise<FoxgloveServer> {
  const { services, hosts } = parts;
  const { wall, sessions } = services;
  const gate = new RequestGate(hosts);
  gate.setHandler(({ response }) => {
    const details = 'Foxglove connects here: Open connection, Foxglove WebSocket';
    sendRefusal(response, refuse('upgrade_required', details));
  });
  const server = new HttpServer(gate);
  const live = new LiveServer(parts);
  acceptUpgrades(server, createHandshake(live, parts), hosts);
  const port = await server.listen(parts.port, parts.host).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'is already in use' : `fails: ${error.message}`;
    throw new Error(`Port ${parts.port} ${reason}; choose another with --foxglove.`);
  });
  const stopWatching = sessions.onSessionEnd((session) => {
    for (const client of live.clients) {
      if (client.session !== session) continue;
      client.close(limits.stream_session_ended_code, 'session ended');
    }
  });
  let cancelPing: Cancel = () => {};
  const ping = () => {
    for (const client of live.clients) {
      client.ping();
      // A session lives as long as its connection, up to its greatest age.
      sessions.renew(client.session);
    }
    cancelPing = wall.afterUnreferenced(limits.stream_ping_s * 1000, ping);
  };
  ping();
  return {
    server,
    port,
    async close() {
      cancelPing();
      stopWatching();
      for (const client of live.clients) client.close(1001, 'The twin is shutting down');
      await server.close(wall);
    },
  };
}
