/**
 * One client of the live connection in Foxglove's WebSocket protocol (`foxglove.websocket.v1`):
 * reads its requests, frames messages, and leaves out telemetry for a client that reads slowly.
 * Numbers of the protocol are little-endian.
 */

import type { RawData, WebSocket } from 'ws';
import { limits } from '../../../contract/limits.ts';
import type { Caller } from '../../robot/caller.ts';
import type { Session } from '../sessions/sessions.ts';

/** First bytes of binary messages: from the server, and from clients. */
const MESSAGE_DATA = 1;
const TIME = 2;
const CALL_RESPONSE = 3;
const CALL_REQUEST = 2;

export const STATUS = { info: 0, warning: 1, error: 2 } as const;

/** A call of a service. */
export interface ServiceCall {
  readonly service_id: number;
  readonly call_id: number;
  readonly encoding: string;
  readonly data: Buffer;
}

/** What a client asks for; each method is called with checked arguments. */
export interface ClientRequests {
  onSubscribe(client: LiveClient, channel_id: number): void;
  onGetParameters(client: LiveClient, names: readonly string[], id: string | undefined): void;
  onSetParameters(
    client: LiveClient,
    values: ReadonlyMap<string, unknown>,
    id: string | undefined,
  ): void;
  onCall(client: LiveClient, call: ServiceCall): void;
}

type Message = Readonly<Record<string, unknown>>;

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messagesOf(value: unknown): readonly Message[] {
  return Array.isArray(value) ? value.filter(isMessage) : [];
}

function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item) => Number.isSafeInteger(item)) : [];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Most subscriptions of a client: Foxglove has one per channel. */
const SUBSCRIPTIONS_MAX = 256;

export class LiveClient {
  readonly session: Session;
  readonly caller: Caller;
  /** Parameters whose changes are sent. */
  readonly watched = new Set<string>();
  /** Channels of which the newest message was left out because the client reads slowly. */
  readonly overdue = new Set<number>();
  private readonly socket: WebSocket;
  private readonly requests: ClientRequests;
  /** Channel of each subscription. */
  private readonly channels = new Map<number, number>();
  private missedPings = 0;

  constructor(
    socket: WebSocket,
    identity: { readonly session: Session; readonly caller: Caller },
    requests: ClientRequests,
  ) {
    this.socket = socket;
    this.session = identity.session;
    this.caller = identity.caller;
    this.requests = requests;
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      this.missedPings = 0;
    });
  }

  /** True when the client has subscribed to a channel. */
  hasSubscribed(channel_id: number): boolean {
    for (const channel of this.channels.values()) if (channel === channel_id) return true;
    return false;
  }

  /** The socket gives messages as one buffer each. */
  private receive(data: RawData, isBinary: boolean): void {
    const bytes = data as Buffer;
    if (isBinary) {
      this.receiveBinary(bytes);
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(bytes.toString());
    } catch {
      message = null;
    }
    if (isMessage(message)) this.receiveMessage(message);
    else this.status('error', 'A text message must be a JSON object with a field op');
  }

  private receiveMessage(message: Message): void {
    const id = typeof message['id'] === 'string' ? message['id'] : undefined;
    const names = textsOf(message['parameterNames']);
    if (message['op'] === 'subscribe') this.subscribe(messagesOf(message['subscriptions']));
    else if (message['op'] === 'unsubscribe') {
      for (const subscription of numbersOf(message['subscriptionIds'])) {
        this.channels.delete(subscription);
      }
    } else if (message['op'] === 'getParameters') {
      this.requests.onGetParameters(this, names, id);
    } else if (message['op'] === 'setParameters') {
      const values = messagesOf(message['parameters']).map(
        ({ name, value }) => [String(name), value] as const,
      );
      this.requests.onSetParameters(this, new Map(values), id);
    } else if (message['op'] === 'subscribeParameterUpdates') {
      for (const name of names.slice(0, SUBSCRIPTIONS_MAX)) this.watched.add(name);
    } else if (message['op'] === 'unsubscribeParameterUpdates') {
      for (const name of names) this.watched.delete(name);
    } else this.status('warning', `Unknown operation: ${String(message['op']).slice(0, 40)}`);
  }

  private subscribe(subscriptions: readonly Message[]): void {
    for (const { id, channelId } of subscriptions) {
      if (!Number.isInteger(id) || !Number.isInteger(channelId)) {
        this.status('error', 'A subscription needs whole numbers id and channelId');
      } else if (this.channels.size >= SUBSCRIPTIONS_MAX) {
        this.status('error', `A client has at most ${SUBSCRIPTIONS_MAX} subscriptions`);
        return;
      } else {
        this.channels.set(Number(id), Number(channelId));
        this.requests.onSubscribe(this, Number(channelId));
      }
    }
  }

  private receiveBinary(bytes: Buffer): void {
    const HEAD = 13;
    if (bytes[0] !== CALL_REQUEST || bytes.length < HEAD) {
      this.status('error', 'Of binary messages only calls of services are known');
      return;
    }
    const end = HEAD + bytes.readUInt32LE(9);
    this.requests.onCall(this, {
      service_id: bytes.readUInt32LE(1),
      call_id: bytes.readUInt32LE(5),
      encoding: bytes.toString('utf8', HEAD, Math.min(end, bytes.length)),
      data: bytes.subarray(Math.min(end, bytes.length)),
    });
  }

  /** Sends a JSON message of the protocol. */
  send(message: object): void {
    this.write(JSON.stringify(message));
  }

  /** Shows a sentence to the user of the client. */
  status(level: keyof typeof STATUS, message: string): void {
    this.send({ op: 'status', level: STATUS[level], message });
  }

  /**
   * Sends a message of a channel to each subscription of it. Leaves it out, and notes the channel
   * as overdue, while the client reads slowly; terminates a client that does not read.
   */
  publish(channel_id: number, data: Buffer, time_ns: bigint): void {
    if (this.socket.bufferedAmount > limits.stream_hard_bytes) this.socket.terminate();
    if (this.isSlow) {
      this.overdue.add(channel_id);
      return;
    }
    this.overdue.delete(channel_id);
    for (const [subscription, channel] of this.channels) {
      if (channel !== channel_id) continue;
      const frame = Buffer.allocUnsafe(13 + data.length);
      frame[0] = MESSAGE_DATA;
      frame.writeUInt32LE(subscription >>> 0, 1);
      frame.writeBigUInt64LE(time_ns, 5);
      data.copy(frame, 13);
      this.write(frame);
    }
  }

  /** True while too much waits for the client. */
  get isSlow(): boolean {
    return this.socket.bufferedAmount > limits.stream_soft_bytes;
  }

  /** Sends the twin's time. */
  time(frame: Buffer): void {
    if (!this.isSlow) this.write(frame);
  }

  /** Answers a call of a service. */
  reply({ service_id, call_id, encoding }: ServiceCall, reply: object): void {
    const name = Buffer.from(encoding);
    const head = Buffer.allocUnsafe(13);
    head[0] = CALL_RESPONSE;
    head.writeUInt32LE(service_id, 1);
    head.writeUInt32LE(call_id, 5);
    head.writeUInt32LE(name.length, 9);
    this.write(Buffer.concat([head, name, Buffer.from(JSON.stringify(reply))]));
  }

  private write(frame: string | Buffer): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(frame);
  }

  /** Sends a ping; disconnects a client that missed too many. */
  ping(): void {
    if (this.missedPings >= limits.stream_missed_pings) this.socket.terminate();
    else if (this.socket.readyState === this.socket.OPEN) {
      this.missedPings += 1;
      this.socket.ping();
    }
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }
}

/** The twin's time as a message of the protocol. */
export function timeFrame(time_ns: bigint): Buffer {
  const frame = Buffer.allocUnsafe(9);
  frame[0] = TIME;
  frame.writeBigUInt64LE(time_ns, 1);
  return frame;
}
