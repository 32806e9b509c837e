/** Generates the AsyncAPI 3 document of the streams from the endpoint table and the schemas. */

import { routeOf } from '../routes.ts';
import { referenceName, type SchemaId, schemaOf } from '../schemas.ts';
import { type Json, poolReference, reachableSchemas } from './document-schemas.ts';
import { type DocumentOptions, LICENSE } from './openapi.ts';
import { exampleOf } from './schema-example.ts';

/** The streams: route, type of the events and a note for each. */
const STREAMS = {
  stream: {
    row: 'openStream',
    events: 'RobotEvent',
    note: 'The stream sends no initial state: read the snapshot first.',
  },
  simStream: {
    row: 'openSimStream',
    events: 'SimEvent',
    note: 'Events of the simulation, for admins; real arms do not have this stream.',
  },
} as const;

type Stream = (typeof STREAMS)[keyof typeof STREAMS];

function eventTypes({ events }: Stream): readonly SchemaId[] {
  return schemaOf(events).oneOf!.map((option) => referenceName(option.$ref!));
}

function messagesOf(stream: Stream): { readonly [name: string]: Json } {
  return Object.fromEntries(
    eventTypes(stream).map((id) => {
      const schema = schemaOf(id);
      const name = String(schema.properties!['type']!.const);
      const payload = poolReference(id);
      const examples = [{ payload: exampleOf(schema) }];
      return [name, { name, summary: schema.description, payload, examples }];
    }),
  );
}

function reference(path: string): Json {
  return { $ref: path };
}

function channelOf(stream: Stream): Json {
  const names = Object.keys(messagesOf(stream));
  return {
    address: routeOf(stream.row).path,
    description:
      'The header Sec-WebSocket-Protocol carries SessionToken_<token> and object; object is ' +
      `chosen. ${stream.note}`,
    messages: Object.fromEntries(
      names.map((name) => [name, reference(`#/components/messages/${name}`)]),
    ),
  };
}

function operationOf(channel: string, stream: Stream): Json {
  const names = Object.keys(messagesOf(stream));
  return {
    action: 'receive',
    channel: reference(`#/channels/${channel}`),
    messages: names.map((name) => reference(`#/channels/${channel}/messages/${name}`)),
  };
}

/** The AsyncAPI 3 document: the event stream of the arm and that of the simulation. */
export function asyncApiDocument({ version, baseUrl }: DocumentOptions): Json {
  const { host } = new URL(baseUrl);
  const { stream, simStream } = STREAMS;
  const messages = { ...messagesOf(simStream), ...messagesOf(stream) };
  return {
    asyncapi: '3.0.0',
    info: { title: 'Robot arm events', version, license: { name: LICENSE.name } },
    defaultContentType: 'application/json',
    servers: { arm: { host, protocol: 'ws' } },
    channels: { stream: channelOf(stream), simStream: channelOf(simStream) },
    operations: {
      receiveEvents: operationOf('stream', stream),
      receiveSimEvents: operationOf('simStream', simStream),
    },
    components: { messages, schemas: reachableSchemas(Object.values(STREAMS).flatMap(eventTypes)) },
  };
}
