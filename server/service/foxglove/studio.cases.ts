/** The client of Foxglove's protocol, with everything that it has received. Test code. */
import { type Channel, FoxgloveClient, type IWebSocket, type Service } from '@foxglove/ws-protocol';
import { WebSocket } from 'ws';
import { quaternionToMatrix } from '../../../physics/math/rotation.ts';
import { pollUntilDefined } from '../simulation/twin-client.cases.ts';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** The protocol's client, with what it has received. */
export class Studio {
  readonly channels = new Map<string, Channel>();
  readonly services = new Map<string, Service>();
  readonly messages: { readonly topic: string; readonly at_ns: bigint; readonly message: Json }[] =
    [];
  readonly statuses: string[] = [];
  readonly failures: string[] = [];
  readonly replies = new Map<number, Json>();
  readonly parameters = new Map<string, unknown>();
  info: Json = {};
  time_ns = 0n;
  readonly client: FoxgloveClient;
  readonly socket: WebSocket;
  private readonly topics = new Map<number, string>();
  private calls = 0;

  constructor(url: string, protocol = FoxgloveClient.SUPPORTED_SUBPROTOCOL) {
    this.socket = new WebSocket(url, [protocol]);
    const client = new FoxgloveClient({ ws: this.socket as IWebSocket });
    this.client = client;
    client.on('serverInfo', (info) => {
      this.info = info;
    });
    client.on('advertise', (list) => {
      for (const each of list) this.channels.set(each.topic, each);
    });
    client.on('advertiseServices', (list) => {
      for (const each of list) this.services.set(each.name, each);
    });
    client.on('status', ({ message }) => this.statuses.push(message));
    client.on('serviceCallFailure', ({ message }) => this.failures.push(message));
    client.on('serviceCallResponse', ({ callId, data }) => {
      this.replies.set(callId, JSON.parse(new TextDecoder().decode(data)) as Json);
    });
    client.on('parameterValues', ({ parameters }) => {
      for (const { name, value } of parameters) this.parameters.set(name, value);
    });
    client.on('time', ({ timestamp }) => {
      this.time_ns = timestamp;
    });
    client.on('message', ({ subscriptionId, timestamp, data }) => {
      const message = JSON.parse(new TextDecoder().decode(data)) as Json;
      this.messages.push({ topic: this.topics.get(subscriptionId)!, at_ns: timestamp, message });
    });
  }

  async open(): Promise<this> {
    await pollUntilDefined(() => this.channels.get('/joints'));
    return this;
  }

  subscribe(topic: string): void {
    this.topics.set(this.client.subscribe(this.channels.get(topic)!.id), topic);
  }

  of(topic: string): Json[] {
    return this.messages.filter((entry) => entry.topic === topic).map(({ message }) => message);
  }

  async call(name: string, request: object): Promise<Json> {
    const callId = ++this.calls;
    const data = new TextEncoder().encode(JSON.stringify(request));
    const serviceId = this.services.get(name)?.id ?? 99;
    this.client.sendServiceCallRequest({
      serviceId,
      callId,
      encoding: 'json',
      data: new DataView(data.buffer),
    });
    const failed = this.failures.length;
    await pollUntilDefined(() => this.replies.get(callId) ?? this.failures[failed]);
    return this.replies.get(callId) ?? { failure: this.failures[failed] };
  }

  close(): void {
    this.client.close();
  }
}

/** Rotation and origin of the flange in a message of /tf, from its transforms. */
export function flangeOf(message: Json): number[] {
  const rotation = new Float64Array(9);
  let r = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  let at = [0, 0, 0];
  for (const edge of message['transforms'] as { translation: Json; rotation: Json }[]) {
    const t = edge.translation as { x: number; y: number; z: number };
    const q = edge.rotation as { w: number; x: number; y: number; z: number };
    at = at.map((o, k) => o + r[3 * k]! * t.x + r[3 * k + 1]! * t.y + r[3 * k + 2]! * t.z);
    quaternionToMatrix(q, rotation);
    r = Float64Array.from({ length: 9 }, (_, i) => {
      const [row, column] = [Math.floor(i / 3), i % 3];
      return [0, 1, 2].reduce((sum, k) => sum + r[3 * row + k]! * rotation[3 * k + column]!, 0);
    });
  }
  return [...r, ...at];
}

/** The properties of a schema that another one does not have. */
export function unknownParts(ours: Json, theirs: Json, path = ''): string[] {
  const mine = (ours['properties'] ?? {}) as Record<string, Json>;
  const known = (theirs['properties'] ?? {}) as Record<string, Json>;
  return Object.entries(mine).flatMap(([name, schema]) => {
    const other = known[name];
    const here = `${path}/${name}`;
    if (!other || (other['type'] !== schema['type'] && !other['oneOf'])) return [here];
    const items = schema['items'] as Json | undefined;
    if (items) return unknownParts(items, (other['items'] ?? {}) as Json, here);
    return unknownParts(schema, other, here);
  });
}
