/** Generates the OpenAPI 3.1 document of the calls from the endpoint table and the schemas. */

import { detailsSchemaOf } from '../errors.ts';
import { limits } from '../limits.ts';
import { isNameParameter } from '../routes/path.ts';
import { ROUTES, type RouteRow } from '../routes.ts';
import { type SchemaId, schemaOf } from '../schemas.ts';
import { type Json, poolReference, schemaPool } from './document-schemas.ts';
import {
  documentedErrors,
  errorResponses,
  errorSchemas,
  type SharedResponses,
  sharedResponses,
} from './error-responses.ts';
import { linksOf } from './links.ts';
import { RECORDED_EXAMPLES } from './recorded-examples.ts';
import { exampleOf } from './schema-example.ts';
import { TAG_LIST, tagOf } from './tags.ts';

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
/** The introduction of the OpenAPI document, in Markdown. */
const INTRODUCTION = `The HTTP API of a six-joint robot arm, served by armtwin.

**Get a token.** Send \`POST /api/v1/auth\` with an API token, or \`POST /api/v1/auth/login\` with
e-mail and password. The reply has a session token; send it with every other call as
\`Authorization: Bearer <token>\`. It lasts 30 minutes; \`POST /api/v1/auth/renew\` extends it, 48
hours at most.

**Take the lock.** Send \`POST /api/v1/controls/lock\` before a call that moves the arm, renew it
with PUT, and release it with DELETE.

**Events.** State changes arrive over the WebSocket \`GET /api/v1/data/stream\`, with the
subprotocols \`SessionToken_<token>\` and \`object\`. [asyncapi.json](/asyncapi.json) describes
them.

**Units.** Angles are radians, distances metres, speeds m/s, times seconds, masses kilograms,
temperatures °C; the joint velocity of telemetry is degrees per second.

**Errors.** Every failure has the body \`{"error": {"error_code", "title", "details"}}\`. Any
request can also get 400, 413, 417 or 421 before its call is known: for a malformed header, headers
that are too large, an unknown \`Expect\`, or a host name that the service does not serve.

**Examples** are recorded from a twin; long lists are shortened.`;
const IDEMPOTENCY_TEXT =
  'Makes the call safe to repeat: a call with a key of an earlier one and the same body creates ' +
  `nothing and gets the reply of the earlier one, for ${limits.idempotency_key_s / 3600} hours, ` +
  `also after a restart. The latest ${limits.idempotency_keys_per_user} keys of a user are kept. ` +
  'A refused call can be repeated with its key.';
const REPLAYED: Json = {
  'Idempotency-Replayed': {
    description: '`true` if this is the reply of an earlier call with the same key',
    schema: { type: 'string', const: 'true' },
  },
};
export const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

function jsonContent(name: string, recorded: unknown): Json {
  const example = recorded ?? exampleOf(schemaOf(name as SchemaId));
  return { 'application/json': { schema: poolReference(name), example } };
}

function requestBody(row: RouteRow): Json | null {
  if (row.carries === 'package') {
    const binary = { schema: { type: 'string', format: 'binary' } };
    const content = Object.fromEntries(PACKAGE_TYPES.map((type) => [type, binary]));
    return { required: true, content };
  }
  if (row.body === undefined) return null;
  return {
    required: row.bodyOptional !== true,
    content: jsonContent(row.body, RECORDED_EXAMPLES[row.id]?.body),
  };
}

function success(row: RouteRow): Json {
  if (row.carries === 'stream') return { description: 'The connection is upgraded to a WebSocket' };
  if (row.status.documented === 204) return { description: 'Done' };
  if (row.media) {
    const type = { schema: { type: 'string' } };
    return { description: 'Done', content: { [row.media]: type } };
  }
  const links = linksOf(row);
  const content = jsonContent(row.reply!, RECORDED_EXAMPLES[row.id]?.reply);
  const headers = row.creates ? { headers: REPLAYED } : {};
  return { description: 'Done', ...headers, content, ...(links ? { links } : {}) };
}

/** The successful responses in both dialects. */
function successes(row: RouteRow): Json {
  const { documented, fielded } = row.status;
  if (documented === fielded) return { [documented]: success(row) };
  const schema = poolReference('Nothing');
  const content = { 'application/json': { schema, example: {} } };
  const inField = { description: 'Done, in the dialect `fielded`', content };
  return { [fielded]: inField, [documented]: success(row) };
}

function parameters(row: RouteRow): readonly Json[] {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const path = names.map((name) => {
    const isName = isNameParameter(name);
    const schema = isName ? { type: 'string', minLength: 1 } : id;
    const [object, part] = [name.replace(/_(id|name)$/, ''), isName ? 'name' : 'id'];
    const description = `The ${part} of the ${object}`;
    return { name, in: 'path', required: true, description, schema };
  });
  const query = Object.entries(row.query ?? {}).map(([name, { description, ...bounds }]) => {
    const number = { type: 'integer', ...bounds };
    return { name, in: 'query', required: false, description, schema: number };
  });
  const filters = Object.entries(row.filters ?? {}).map(([name, { description, ...rest }]) => {
    return { name, in: 'query', required: false, description, schema: { type: 'string', ...rest } };
  });
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: IDEMPOTENCY_TEXT,
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotency_key_characters },
  };
  return [...path, ...query, ...filters, ...(row.creates ? [key] : [])];
}

function description(row: RouteRow): string {
  const needs = [
    row.role === 'admin' ? 'Needs the role admin.' : '',
    row.lock ? 'Needs the robot lock.' : '',
    row.status.documented === row.status.fielded
      ? ''
      : 'The dialect `fielded` answers 200 with an empty object.',
    row.path.startsWith('/sim/') ? 'Real arms do not have this call.' : '',
  ];
  return [`${row.summary}.`, ...needs].filter((text) => text !== '').join(' ');
}

function operation(row: RouteRow, shared: SharedResponses): Json {
  const body = requestBody(row);
  const values = parameters(row);
  return {
    operationId: row.id,
    summary: row.summary,
    description: description(row),
    tags: [tagOf(row)],
    security: row.auth === 'none' ? [] : [{ session: [] }],
    ...(values.length > 0 ? { parameters: values } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...successes(row), ...errorResponses(row, shared) },
  };
}

/** The schemas of the bodies, replies and error details of calls. */
function schemasOf(rows: readonly RouteRow[]): readonly SchemaId[] {
  const named = rows.flatMap(({ body, reply, carries }) => [
    ...(body ? [body] : []),
    ...(reply && carries !== 'stream' ? [reply] : []),
  ]);
  const details = documentedErrors().map(detailsSchemaOf);
  return [...new Set([...named, ...details, 'Nothing'])] as SchemaId[];
}

/** The OpenAPI 3.1 document of all calls, with an example on every body. */
export function openApiDocument({ version, baseUrl }: DocumentOptions): Json {
  const rows: readonly RouteRow[] = ROUTES;
  const shared = sharedResponses();
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const row of rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row, shared) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Robot arm control', version, description: INTRODUCTION, license: LICENSE },
    servers: [{ url: baseUrl }],
    tags: TAG_LIST,
    paths,
    components: {
      schemas: { ...schemaPool(schemasOf(rows)), ...errorSchemas() },
      responses: shared.responses,
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'The session token from `POST /api/v1/auth` or `POST /api/v1/auth/login`.',
        },
      },
    },
  };
}
