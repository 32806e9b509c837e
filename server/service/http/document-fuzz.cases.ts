/**
 * Test code: a stateful fuzzer that knows the service only by its OpenAPI document. It calls
 * operations in a seeded order, with bodies and with ids that earlier replies linked to, and
 * reports replies whose status or body the document does not declare.
 */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { connect } from '../../../contract/client.ts';
import { type SchemaId, schemaOf } from '../../../contract/schemas.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import type { ApiFixture, HttpReply, RequestParts, TestUser } from './api-fixture.cases.ts';
import { invalidBodies, validBodies } from './schema-arbitrary.cases.ts';

type Json = { readonly [key: string]: Json };

interface Link {
  readonly operationId: string;
  readonly parameters: { readonly [name: string]: string };
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly body: { readonly schema: SchemaId; readonly example: unknown } | null;
  readonly responses: { readonly [status: string]: Json };
}

/** Calls that the fuzzer leaves out: streams, the upload of 256 MiB, and its own session. */
const LEFT_OUT = ['openStream', 'openSimStream', 'uploadUpdate', 'endSession'];
/** Bodies that would disconnect or delay the fuzzer itself, limited. */
const MOST: { readonly [field: string]: number } = {
  seconds: 5,
  limit_s: 5,
  ticks: 500,
  delay_s: 0.01,
  iterations: 2,
};
/** Calls between two resets of the twin. */
const RESET_CALLS = 150;
const REFERENCE = /^#\/components\/(\w+)\/(\w+)$/;

function limited(value: unknown, key = ''): unknown {
  const most = MOST[key];
  if (typeof value === 'number' && most !== undefined) return Math.min(value, most);
  if (Array.isArray(value)) return value.map((item) => limited(item));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, item]) => [name, limited(item, name)]);
  const copy = Object.fromEntries(entries) as { [name: string]: unknown };
  // A dropped reply would block the fuzzer; real time would make it wait.
  if (copy['kind'] === 'reply') copy['path'] = '/api/v1/none';
  if (typeof copy['pace'] === 'number' || copy['pace'] === 'max') copy['pace'] = 'stepped';
  if ('paused' in copy) copy['paused'] = false;
  return copy;
}

function pointed(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], value);
}

/** The document, with its operations and validators of its responses. */
class FuzzedDocument {
  readonly operations: readonly Operation[];
  private readonly document: Json;
  private readonly ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    validateFormats: false,
  });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.document = document;
    this.ajv.addSchema({ $id: 'openapi', components: document['components'] });
    this.operations = Object.entries(document['paths'] ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const content = operation['requestBody']?.['content']?.['application/json'];
        const name = REFERENCE.exec(String(content?.['schema']?.['$ref']))?.[2];
        return {
          id: String(operation['operationId']),
          method: method.toUpperCase(),
          path,
          parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter),
          body: name ? { schema: name as SchemaId, example: content?.['example'] } : null,
          responses: (operation['responses'] ?? {}) as { [status: string]: Json },
        };
      }),
    );
  }

  /** What the document does not declare of a reply; null when all is declared. */
  problemOf({ id, responses }: Operation, got: HttpReply): string | null {
    const response = this.resolved(responses[got.status]);
    if (!response) return `${id}: status ${got.status} is not declared: ${got.text.slice(0, 200)}`;
    const content: Json = response['content'] ?? {};
    const schema = content['application/json']?.['schema'];
    if (!schema) {
      const [type = ''] = String(got.headers['content-type']).split(';');
      return got.text === '' || type in content
        ? null
        : `${id}: ${got.status} has a body of ${type}`;
    }
    const check = this.validatorOf(`${id} ${got.status}`, schema);
    if (check(got.body)) return null;
    const [error] = check.errors ?? [];
    const place = `${error?.instancePath} ${error?.message}`;
    return `${id}: ${got.status} ${place}: ${got.text.slice(0, 200)}`;
  }

  /** The links of a reply: parameter values by operation. */
  linksOf({ responses }: Operation, got: HttpReply): readonly Link[] {
    return Object.values(this.resolved(responses[got.status])?.['links'] ?? {}) as never;
  }

  private resolved(response: Json | undefined): Json | undefined {
    const [, kind = '', name = ''] = REFERENCE.exec(String(response?.['$ref'])) ?? [];
    return kind === '' ? response : this.document['components']?.[kind]?.[name];
  }

  private validatorOf(key: string, schema: Json): ValidateFunction {
    const known = this.validators.get(key);
    if (known) return known;
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const check = this.ajv.compile(JSON.parse(text) as object);
    this.validators.set(key, check);
    return check;
  }
}

export interface FuzzReport {
  readonly calls: number;
  /** Replies by `operation status`. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

/** Makes `calls` calls in an order that the seed gives. */
export async function fuzzDocument(
  fixture: ApiFixture,
  { seed, calls }: { readonly seed: number; readonly calls: number },
): Promise<FuzzReport> {
  const document = new FuzzedDocument((await fixture.send('GET', '/openapi.json')).body as Json);
  const operations = document.operations.filter(({ id }) => !LEFT_OUT.includes(id));
  const draw = createPrng(seed);
  const below = (count: number) => Math.floor(draw() * count);
  const pool = new Map<string, unknown[]>();
  const statuses = new Map<string, number>();
  const problems = new Set<string>();
  const users = [fixture.admin, fixture.admin, fixture.admin, fixture.ada, null];

  const bodyOf = ({ body }: Operation): unknown => {
    if (!body || draw() < 0.02) return undefined;
    if (draw() < 0.5 && body.example !== undefined) return body.example;
    const schema = schemaOf(body.schema);
    const arbitrary = draw() < 0.5 ? validBodies(schema) : invalidBodies(schema);
    return fc.sample(arbitrary, { numRuns: 1, seed: below(2 ** 31) })[0];
  };
  const pathOf = ({ path, parameters }: Operation): string =>
    parameters.reduce((filled, name) => {
      // The account of the fuzzer itself stays.
      const known = pool.get(name) ?? [];
      const id = known.length > 0 && draw() < 0.8 ? known[below(known.length)] : 2 + below(4);
      return filled.replace(`{${name}}`, String(id));
    }, path);
  const remember = (operation: Operation, got: HttpReply) => {
    for (const { parameters } of document.linksOf(operation, got)) {
      for (const [name, source] of Object.entries(parameters)) {
        const pointer = /^\$response\.body#(.*)/.exec(source)?.[1];
        const value = pointer === undefined ? undefined : pointed(got.body, pointer);
        if (typeof value === 'number')
          pool.set(name, [value, ...(pool.get(name) ?? [])].slice(0, 4));
      }
    }
  };

  for (let call = 0; call < calls; call++) {
    if (call % RESET_CALLS === 0) await prepare(fixture, call > 0);
    const operation = operations[below(operations.length)]!;
    const user = users[below(users.length)] as TestUser | null;
    const body = limited(bodyOf(operation));
    const sent: RequestParts = body === undefined ? { as: user } : { as: user, body };
    const got = await fixture.send(operation.method, pathOf(operation), sent);
    const key = `${operation.id} ${got.status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    const problem = document.problemOf(operation, got);
    if (problem) problems.add(`call ${call}: ${problem}`);
    remember(operation, got);
    if (got.status === 401 && user) await prepare(fixture, false);
  }
  return { calls, statuses, problems: [...problems] };
}

/** Resets the twin if wanted, renews the sessions, and gives the lock to the admin. */
async function prepare(fixture: ApiFixture, isReset: boolean): Promise<void> {
  const { twin, admin, ada } = fixture;
  for (const user of [admin, ada]) {
    const client = connect({ baseUrl: twin.url, token: user.token });
    user.session = await client.session().catch(() => user.session);
  }
  const body = { scopes: ['state', 'clock', 'faults', 'obstacles', 'toolpaths'] };
  if (isReset) await fixture.send('POST', '/sim/v1/reset', { as: admin, body });
  await fixture.send('POST', '/api/v1/controls/lock', { as: admin });
}
