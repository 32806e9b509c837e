import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detailsSchemaOf, ERROR_ROWS, type ErrorName, errorNamed } from '../errors.ts';
import { HOOK_TYPES } from '../hooks/hook-types.ts';
import { errorsOf, ROUTES, type RouteId, type RouteRow, routeOf } from '../routes.ts';
import { SCHEMA_IDS, type SchemaId, schemaOf } from '../schemas.ts';
import { validate } from '../validator.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { openApiDocument } from './openapi.ts';
import { RECORDED_EXAMPLES } from './recorded-examples.ts';
import { exampleOf } from './schema-example.ts';

type Tree = { readonly [key: string]: Tree };

const options = { version: '4.9.0', baseUrl: 'http://127.0.0.1:8080' };
// Through text, as a reader of the document gets it.
const openApi: Tree = JSON.parse(JSON.stringify(openApiDocument(options)));
const asyncApi: Tree = JSON.parse(JSON.stringify(asyncApiDocument(options)));
const rows: readonly RouteRow[] = ROUTES;

/** Validates documents by a linter of their formats; throws with the errors. */
function lint(documents: readonly Tree[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'api-docs-'));
  const files = documents.map((_, i) => join(folder, `document-${i}.json`));
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  const linter = join(manifest, '..', 'bin', 'cli.js');
  for (const [i, file] of files.entries()) writeFileSync(file, JSON.stringify(documents[i]));
  try {
    const quiet = {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    const options = { env: quiet, encoding: 'utf8', stdio: 'pipe' } as const;
    execFileSync(
      process.execPath,
      [linter, 'lint', ...files, '--extends=spec', '--format=stylish'],
      options,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function references(tree: unknown): string[] {
  if (tree === null || typeof tree !== 'object') return [];
  return Object.entries(tree).flatMap(([key, value]) =>
    key === '$ref' ? [String(value)] : references(value),
  );
}

function found(tree: Tree, reference: string): unknown {
  const steps = reference.slice('#/'.length).split('/');
  return steps.reduce<Tree | undefined>((at, step) => at?.[step], tree);
}

it('OpenAPI and AsyncAPI are valid for a linter of their formats', { tags: ['slow'] }, () => {
  expect(() => lint([openApi, asyncApi])).not.toThrow();
});

describe.each([
  ['OpenAPI', openApi],
  ['AsyncAPI', asyncApi],
])('%s', (_, document) => {
  it('has no dangling reference', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter((reference) => found(document, reference) === undefined)).toEqual([]);
  });

  it('contains no internal keywords', () => {
    const text = JSON.stringify(document);
    for (const word of ['x-problem', 'x-decides', 'x-documented', 'x-limit', 'tsType'])
      expect(text).not.toContain(word);
  });
});

/** Ends of the names of measured fields, and how a description names their unit. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/_n_m$/, 'N·m'],
  [/_n_m_s$/, 'N·m·s/rad'],
  [/_m_s$/, 'm/s'],
  [/_(mm|ms|kg|rad|bytes)$/, '$1'],
  [/_rad_s$/, 'rad/s'],
  [/_m_per_s$/, 'm/s'],
  [/_deg$/, '°'],
  [/(?<!_n|_rad|_per)_([ms])$/, '$1'],
];

function unitIn(name: string): string | undefined {
  const found = UNITS.find(([end]) => end.test(name));
  return found && name.match(found[0])![0].replace(...found);
}

describe.each([
  ['OpenAPI', openApi],
  ['AsyncAPI', asyncApi],
])('the fields of %s', (_, document) => {
  type Field = { readonly path: string; readonly name: string; readonly field: Tree };
  /** The fields of a schema and its parts; those of conditions only restrict other ones. */
  function fieldsOf(schema: Tree, path: string): readonly Field[] {
    const own = Object.entries(schema['properties'] ?? {}).flatMap(([name, field]) => {
      const at = `${path}.${name}`;
      return [{ path: at, name, field }, ...fieldsOf(field, at)];
    });
    const lists = ['oneOf', 'anyOf', 'allOf'].flatMap((key) => Object.values(schema[key] ?? {}));
    const parts = [...lists, ...(schema['items'] ? [schema['items']] : [])];
    return [...own, ...parts.flatMap((part) => fieldsOf(part, path))];
  }
  const schemas = Object.entries(document['components']!['schemas']!);
  const fields = schemas.flatMap(([name, schema]) => fieldsOf(schema, name));
  /** Without fields that are only named as required, and, in AsyncAPI, references. */
  const documented = fields.filter(({ field }) => {
    return Object.keys(field).length > 0 && (document === openApi || !field['$ref']);
  });

  it('have a description, unless they are constant', () => {
    expect(documented.length).toBeGreaterThan(100);
    const bare = documented.filter(
      ({ field }) => typeof field['description'] !== 'string' && field['const'] === undefined,
    );
    const advice =
      'write a description into contract/schema, or a note of the field into \
contract/api-docs/field-notes.json';
    expect(
      bare.map(({ path }) => path),
      advice,
    ).toEqual([]);
  });

  it('say their unit where their name has one', () => {
    const measured = documented.filter(({ name }) => unitIn(name));
    expect(measured.length).toBeGreaterThan(10);
    const silent = measured.filter(({ name, field }) => {
      return !String(field['description'])
        .split(/[\s();,.]+/)
        .includes(unitIn(name)!);
    });
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});

it('maps every tag of OpenAPI to a schema', () => {
  const mapping = openApi['components']?.['schemas']?.['Action']?.['discriminator']?.['mapping'];
  expect(mapping).toMatchObject({ home: '#/components/schemas/HomeAction' });
  for (const target of Object.values(mapping ?? {})) {
    expect(found(openApi, String(target))).toBeDefined();
  }
});

describe('the shapes of bodies and replies in OpenAPI', () => {
  /** What users and other schedulers fill as they like, so that there is no shape to state. */
  const FREE: Readonly<Record<string, string>> = {
    'ErrorBody.error.details': 'those of any error; each response has those of its own',
    'JournalVerifyBody.body': 'the JSON body of any call',
    OldToolpath: 'a toolpath of any format',
    'SeedToolpath.toolpath|': 'a toolpath of format 1, or a record with one',
    'WorkflowDefinition.run_instructions': 'of other schedulers',
    'WorkflowDefinition.scheduler_config': 'of other schedulers',
    'WorkflowDefinition.parameter_definitions': 'of other schedulers',
    'WorkflowDefinition.workflow.instrument_blocks': 'of other schedulers',
    'WorkflowDefinition.workflow.labware_types[]': 'each lab describes its labware in its own way',
    'WorkflowInstrument.config|': 'of instruments that are simulated by their times alone',
    'WorkflowTask.inputs': 'what an instrument is told',
    'DataOutputs.*': 'what an instrument returns',
    'SimulatedOutput.values[]': 'what an instrument returns',
  };
  const NOTES = ['description', 'examples', 'default', 'title'];

  /** Whether a part only says which fields must be there: their types stand beside it. */
  function isRule({ required, properties = {}, ...rest }: Tree): boolean {
    const isNamed = Object.values(properties).every((field) => Object.keys(field).length === 0);
    return required !== undefined && isNamed && Object.keys(rest).length === 0;
  }

  /** The places in a schema that say nothing of a value, or of the members of an object or list. */
  function untyped(schema: Tree, path: string): string[] {
    if (isRule(schema)) return [];
    const has = (key: string) => schema[key] !== undefined;
    const types: unknown[] = [schema['type'] ?? []].flat();
    const members = schema['additionalProperties'] as Tree | boolean | undefined;
    const isTyped = ['$ref', 'oneOf', 'anyOf', 'allOf'].some(has);
    const isOpen = types.includes('object') && !has('properties') && (members ?? true) === true;
    const isBare = Object.keys(schema).every((key) => NOTES.includes(key));
    const isLoose = !isTyped && (isBare || isOpen || (types.includes('array') && !has('items')));
    const parts = [
      ...Object.entries(schema['properties'] ?? {}).map(
        ([key, part]) => [part, `.${key}`] as const,
      ),
      ...['oneOf', 'anyOf', 'allOf'].flatMap((key) =>
        Object.values(schema[key] ?? {}).map((part) => [part, '|'] as const),
      ),
      ...(has('items') ? [[schema['items']!, '[]'] as const] : []),
      ...(typeof members === 'object' ? [[members, '.*'] as const] : []),
    ];
    return [
      ...(isLoose ? [path] : []),
      ...parts.flatMap(([part, step]) => untyped(part, path + step)),
    ];
  }

  it('are stated, but for what anyone may fill as they like', () => {
    const schemas = Object.entries(openApi['components']!['schemas']!);
    const loose = schemas.flatMap(([name, schema]) => untyped(schema, name));
    const advice = 'state the shape in contract/schema, or in `x-documented` where code checks it';
    expect(loose.filter((path) => FREE[path] === undefined).sort(), advice).toEqual([]);
    expect(Object.keys(FREE).filter((path) => !loose.includes(path))).toEqual([]);
  });

  it('are a union by `type` for hooks, with a member for each row of the table', () => {
    const { oneOf, discriminator } = openApi['components']!['schemas']!['TypedHook']!;
    const members = Object.values(oneOf!).map(({ $ref }) => String($ref).split('/').at(-1)!);
    expect(members).toEqual(Object.keys(HOOK_TYPES));
    expect(Object.keys(discriminator!['mapping']!)).toEqual(members);
    for (const [name, { ownMembers }] of Object.entries(HOOK_TYPES)) {
      const { properties } = openApi['components']!['schemas']![name]!;
      expect(Object.keys(properties!)).toEqual(['type', 'parameters', ...ownMembers]);
    }
  });

  it.each([
    ['WorkflowDefinition', 'workflow.tasks.*', 'WorkflowTask'],
    ['WorkflowTask', 'labware_sources.*', 'LabwareNeed'],
    ['TransportConfig', 'stations.*.*', 'StationConfig'],
    ['WorkflowPlan', 'tasks.*', 'PlannedWorkflowTask'],
    ['StoredWorkflow', 'definition', 'WorkflowDefinition'],
  ])('of %s have at %s a %s', (name, path, wanted) => {
    const at = path.split('.').reduce<Tree | undefined>((schema, step) => {
      return step === '*' ? schema?.['additionalProperties'] : schema?.['properties']?.[step];
    }, openApi['components']!['schemas']![name]);
    expect(at?.['$ref']).toBe(`#/components/schemas/${wanted}`);
  });
});

it('has only schemas in AsyncAPI that a message reaches, with tags by name', () => {
  const { messages, schemas } = asyncApi['components']!;
  const wanted = new Set(references(messages));
  for (const reference of wanted) {
    for (const next of references(found(asyncApi, reference))) wanted.add(next);
  }
  const known = Object.keys(schemas!).map((name) => `#/components/schemas/${name}`);
  expect(new Set(known)).toEqual(wanted);
  expect(known).not.toContain('#/components/schemas/Toolpath');
  for (const schema of Object.values(schemas!)) expect(schema).not.toHaveProperty('discriminator');
});

describe('examples', () => {
  it.each(SCHEMA_IDS)('of %s fit', (id) => {
    const result = validate(id, exampleOf(schemaOf(id)), { dialect: 'documented' });
    expect(result).toMatchObject({ ok: true });
  });

  it.each(rows.filter((row) => row.body))('exist for the body of $id', (row) => {
    expect(operationOf(row)).toHaveProperty([
      'requestBody',
      'content',
      'application/json',
      'example',
    ]);
  });
});

function operationOf(row: RouteRow): Tree | undefined {
  return openApi['paths']?.[row.path]?.[row.method.toLowerCase()];
}

describe('operations', () => {
  it.each(rows)('$id has status, security and path parameters', (row) => {
    const operation = operationOf(row);
    expect(operation).toMatchObject({ operationId: row.id, summary: row.summary });
    expect(operation?.['responses']).toHaveProperty(String(row.status.documented));
    expect(operation?.['security']).toHaveLength(row.auth === 'none' ? 0 : 1);
    const names = (row.path.match(/\{/g) ?? []).length + Object.keys(row.query ?? {}).length;
    const key = (row.creates ? 1 : 0) + Object.keys(row.filters ?? {}).length;
    expect(Object.keys(operation?.['parameters'] ?? {})).toHaveLength(names + key);
  });

  it.each(rows)('$id answers each of its errors with its own schema', (row) => {
    const responses = operationOf(row)?.['responses'] ?? {};
    for (const name of errorsOf(row)) {
      const given = responses[String(ERROR_ROWS[name].status)];
      const response = given?.['$ref'] ? (found(openApi, String(given['$ref'])) as Tree) : given;
      const content = response?.['content']?.['application/json'] ?? {};
      const pascal = name.replace(/(^|_)(\w)/g, (_, _gap, letter) => letter.toUpperCase());
      expect(references(content['schema'])).toContain(`#/components/schemas/${pascal}Error`);
      const error = content['examples']?.[name]?.['value']?.['error'] ?? {};
      const details = validate(detailsSchemaOf(name), error['details'], { dialect: 'documented' });
      expect([name, details.ok]).toEqual([name, true]);
      expect(errorNamed(ERROR_ROWS[name].status, error as never)).toBe(name);
    }
  });

  it('link each created object to the calls on it', () => {
    const linked = rows.flatMap((row) => {
      const response = operationOf(row)?.['responses']?.[row.status.documented];
      const example = response?.['content']?.['application/json']?.['example'];
      return Object.entries(response?.['links'] ?? {}).map(([id, link]) => ({ id, link, example }));
    });
    for (const { id, link, example } of linked) {
      const target = routeOf(id as RouteId);
      const values = Object.entries(link['parameters'] ?? {});
      expect(values.map(([name]) => `{${name}}`)).toEqual(target.path.match(/\{\w+\}/g));
      const pointers = values.flatMap(
        ([, value]) => /^\$response.body#(.*)/.exec(String(value))?.[1] ?? [],
      );
      for (const pointer of pointers) {
        expect([id, typeof found(example as Tree, `#${pointer}`)]).toEqual([id, 'number']);
      }
    }
    const reached = new Set<string>(linked.map(({ id }) => id));
    const named = rows.filter(({ path }) => /\{\w+_id\}/.test(path)).map(({ id }) => id);
    expect(named.filter((id) => !reached.has(id))).toEqual([]);
  });
});

describe('recorded examples', () => {
  /** Calls whose replies hold a file, need servos or a receiver, or that send no JSON. */
  const WITHOUT_REPLY = ['openStream', 'openSimStream', 'getServos', 'getTape', 'redeliver'];
  const FILES = ['exportState', 'importState'];
  /** Changed schemas drop examples until they are recorded again. */
  const STALE_SHARE = 0.1;

  it('exist for almost every call; else: npm run generate examples', () => {
    const without = [...WITHOUT_REPLY, ...FILES];
    const wanted = rows.filter(({ id, reply }) => reply && !without.includes(id));
    const missing = wanted.filter(({ id }) => !RECORDED_EXAMPLES[id]?.reply);
    expect(missing.map(({ id }) => id).slice(wanted.length * STALE_SHARE)).toEqual([]);
  });

  it.each(Object.entries(RECORDED_EXAMPLES))('of %s fit', (id, { body, reply, refusals }) => {
    const row = routeOf(id as RouteId);
    const fits = (schema: string, value: unknown) =>
      validate(schema as SchemaId, value, { dialect: 'documented' });
    if (body !== undefined) expect(fits(row.body!, body)).toMatchObject({ ok: true });
    if (reply !== undefined) expect(fits(row.reply!, reply)).toMatchObject({ ok: true });
    for (const [name, details] of Object.entries(refusals)) {
      const schema = detailsSchemaOf(name as ErrorName);
      expect([name, fits(schema, details)]).toMatchObject([name, { ok: true }]);
    }
  });

  it('have no secrets', () => {
    const text = JSON.stringify(RECORDED_EXAMPLES);
    const secrets = text.match(/"[\w-]{43}"|"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g) ?? [];
    expect(new Set(secrets).size).toBeLessThanOrEqual(2);
  });
});

it('the event stream has twelve messages, the simulation stream eleven', () => {
  const { stream, simStream } = asyncApi['channels'] as { [name: string]: Tree };
  expect(Object.keys(stream!['messages'] ?? {})).toHaveLength(12);
  expect(Object.keys(simStream!['messages'] ?? {})).toHaveLength(11);
});
