/**
 * Generates the API documents from the endpoint table and the schemas: OpenAPI 3.1 for the calls,
 * AsyncAPI 3 for the streams.
 */
import {
  exampleOf,
  type Json,
  poolReference,
  reachableSchemas,
  schemaPool,
} from './document-schemas.ts';
import { ERROR_ROWS, type ErrorRow } from './errors.ts';
import { errorStatusesOf, ROUTES, type RouteRow, routeOf } from './routes.ts';
import { referenceName, type SchemaId, schemaOf } from './schemas.ts';

export interface DocumentOptions {
  /** Version of the software. */
  readonly version: string;
  /** Address of the service, as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
}

const PACKAGE_TYPES: readonly string[] = [
  'application/x.automata-update',
  'application/octet-stream',
];
const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

function jsonContent(name: string): Json {
  const example = exampleOf(schemaOf(name as SchemaId));
  return { 'application/json': { schema: poolReference(name), example } };
}

function requestBody(row: RouteRow): Json | null {
  if (row.carries === 'package') {
    const binary = { schema: { type: 'string', format: 'binary' } };
    const content = Object.fromEntries(PACKAGE_TYPES.map((type) => [type, binary]));
    return { required: true, content };
  }
  if (row.body === undefined) return null;
  return { required: row.bodyOptional !== true, content: jsonContent(row.body) };
}

function success(row: RouteRow): Json {
  if (row.carries === 'stream') return { description: 'The connection is upgraded to a WebSocket' };
  if (row.status.documented === 204) return { description: 'Done' };
  return { description: 'Done', content: jsonContent(row.reply!) };
}

function parameters(row: RouteRow): readonly Json[] {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const schema = { type: 'integer', minimum: 1 };
  const path = names.map((name) => ({ name, in: 'path', required: true, schema }));
  const query = Object.entries(row.query ?? {}).map(([name, { description, ...bounds }]) => {
    const number = { type: 'integer', ...bounds };
    return { name, in: 'query', required: false, description, schema: number };
  });
  return [...path, ...query];
}

function description(row: RouteRow): string {
  const needs = [
    row.role === 'admin' ? 'Needs the role admin.' : '',
    row.lock ? 'Needs the robot lock.' : '',
    row.status.documented === row.status.fielded
      ? ''
      : 'Arms in the field answer 200 with an empty object.',
  ];
  return [`${row.summary}.`, ...needs].filter((text) => text !== '').join(' ');
}

function operation(row: RouteRow): Json {
  const body = requestBody(row);
  const values = parameters(row);
  const failures = errorStatusesOf(row).map((status) => [
    String(status),
    { $ref: `#/components/responses/Refusal${status}` },
  ]);
  return {
    operationId: row.id,
    summary: row.summary,
    description: description(row),
    tags: [tagOf(row)],
    security: row.auth === 'none' ? [] : [{ session: [] }],
    ...(values.length > 0 ? { parameters: values } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { [row.status.documented]: success(row), ...Object.fromEntries(failures) },
  };
}

/** The first path segment after the version. */
function tagOf(row: RouteRow): string {
  return row.path.split('/').at(row.path.startsWith('/api/v1/') ? 3 : 2)!;
}

function refusalResponses(): Json {
  const rows = Object.values<ErrorRow>(ERROR_ROWS);
  const statuses = [...new Set(rows.map((row) => row.status))].sort();
  return Object.fromEntries(statuses.map((status) => [`Refusal${status}`, refusal(status, rows)]));
}

function refusal(status: number, rows: readonly ErrorRow[]): Json {
  const fitting = rows.filter((row) => row.status === status);
  const examples = fitting.map(({ error_code, title }, i) => [
    `case${i + 1}`,
    { summary: title, value: { error: { error_code, title, details: null } } },
  ]);
  return {
    description: fitting.map((row) => row.title).join(' · '),
    content: {
      'application/json': {
        schema: poolReference('ErrorBody'),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The OpenAPI 3.1 document of all calls, with an example on every body. */
export function openApiDocument({ version, baseUrl }: DocumentOptions): Json {
  const rows: readonly RouteRow[] = ROUTES;
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const row of rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) };
  }
  const tags = [...new Set(rows.map(tagOf))].map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info: { title: 'Robot arm control', version, license: LICENSE },
    servers: [{ url: baseUrl }],
    tags,
    paths,
    components: {
      schemas: schemaPool(),
      responses: refusalResponses(),
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
    },
  };
}

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
