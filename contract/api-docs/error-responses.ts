/**
 * The error responses of the OpenAPI document with the schemas of their details, from the endpoint
 * table and the error table.
 */
import {
  detailsSchemaOf,
  ERROR_ROWS,
  type ErrorName,
  type ErrorReply,
  type ErrorRow,
  errorReply,
} from '../errors.ts';
import { errorsOf, ROUTES, type RouteRow } from '../routes.ts';
import { schemaOf } from '../schemas.ts';
import { type Json, poolReference } from './document-schemas.ts';
import { RECORDED_EXAMPLES } from './recorded-examples.ts';
import { exampleOf } from './schema-example.ts';

function pascalCase(name: string): string {
  return name.replace(/(^|_)(\w)/g, (_, _gap, letter: string) => letter.toUpperCase());
}

const PLACEHOLDER = '{count}';

/** The errors that any call of the document can answer. */
export function documentedErrors(): readonly ErrorName[] {
  const names = new Set((ROUTES as readonly RouteRow[]).flatMap(errorsOf));
  return (Object.keys(ERROR_ROWS) as ErrorName[]).filter((name) => names.has(name));
}

/** The schemas of the error replies, one for each error. */
export function errorSchemas(): Json {
  const entries = documentedErrors().map((name) => {
    const row: ErrorRow = ERROR_ROWS[name];
    const title = row.title.includes(PLACEHOLDER)
      ? { type: 'string', pattern: `^${row.title.replace(PLACEHOLDER, '\\d+')}$` }
      : { const: row.title };
    const properties = {
      error_code: { description: 'Kind of the error.', const: row.error_code },
      title: { description: 'The error in a few words.', ...title },
      details: {
        description: 'What was wrong, and where.',
        ...poolReference(detailsSchemaOf(name)),
      },
    };
    const required = Object.keys(properties);
    const error = { description: 'What was wrong.', type: 'object', required, properties };
    return [
      `${pascalCase(name)}Error`,
      { type: 'object', required: ['error'], properties: { error } },
    ];
  });
  return Object.fromEntries(entries);
}

/** The error reply with recorded details, or with the example of their schema. */
function exampleReply(name: ErrorName, recorded: unknown): ErrorReply {
  const details = recorded === undefined ? exampleOf(schemaOf(detailsSchemaOf(name))) : recorded;
  const list = details as ErrorReply['error']['details'];
  return errorReply(name, list, Array.isArray(list) ? list.length : 1);
}

/** Errors whose recorded details are shown with their call; the others look alike everywhere. */
const SHOWN_PER_CALL: readonly ErrorName[] = ['invalid_arguments', 'wrong_state'];

function errorContent(row: RouteRow, names: readonly ErrorName[]): Json {
  const schemas = names.map((name) => poolReference(`${pascalCase(name)}Error`));
  const recorded = RECORDED_EXAMPLES[row.id]?.refusals ?? {};
  const examples = names.map((name) => {
    const { title } = ERROR_ROWS[name];
    const isOwn = SHOWN_PER_CALL.includes(name) || row.refusals?.includes(name) === true;
    return [
      name,
      { summary: title, value: exampleReply(name, isOwn ? recorded[name] : undefined) },
    ] as const;
  });
  return {
    'application/json': {
      schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
      examples: Object.fromEntries(examples),
    },
  };
}

/** The headers that error replies of a status carry. */
function errorHeaders(status: number): Json {
  const wait = { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } };
  return status === 429 || status === 503 ? { headers: { 'Retry-After': wait } } : {};
}

function errorResponse(row: RouteRow, names: readonly ErrorName[]): Json {
  const { status } = ERROR_ROWS[names[0]!];
  const description = names.map((name) => ERROR_ROWS[name].title).join(' · ');
  return { description, ...errorHeaders(status), content: errorContent(row, names) };
}

function errorsByStatus(row: RouteRow): readonly (readonly [number, readonly ErrorName[]])[] {
  const names = errorsOf(row);
  const statuses = [...new Set(names.map((name) => ERROR_ROWS[name].status))].sort();
  return statuses.map((status) => [
    status,
    names.filter((name) => ERROR_ROWS[name].status === status),
  ]);
}

export interface SharedResponses {
  /** The responses that more than one call has, by name. */
  readonly responses: Json;
  /** The name of a response by its text. */
  readonly names: ReadonlyMap<string, string>;
}

/** Error responses that several calls share; each is in the document once. */
export function sharedResponses(): SharedResponses {
  const counts = new Map<string, number>();
  const found: [string, Json][] = [];
  for (const row of ROUTES as readonly RouteRow[]) {
    for (const [, names] of errorsByStatus(row)) {
      const response = errorResponse(row, names);
      const text = JSON.stringify(response);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      if (count === 2) found.push([names.map(pascalCase).join('Or'), response]);
    }
  }
  const responses: { [name: string]: Json } = {};
  const names = new Map<string, string>();
  for (const [base, response] of found) {
    let name = base;
    for (let number = 2; name in responses; number++) name = `${base}${number}`;
    responses[name] = response;
    names.set(JSON.stringify(response), name);
  }
  return { responses, names };
}

/** The error responses of a call by status. */
export function errorResponses(row: RouteRow, { names: shared }: SharedResponses): Json {
  const responses = errorsByStatus(row).map(([status, names]) => {
    const response = errorResponse(row, names);
    const name = shared.get(JSON.stringify(response));
    const entry = name === undefined ? response : { $ref: `#/components/responses/${name}` };
    return [String(status), entry] as const;
  });
  return Object.fromEntries(responses);
}
