/**
 * Rules for the endpoint table: every route has a conformance rule, every field of a request body
 * is read by code and named by a rule, and every error status of a handler is listed by its row.
 *
 * The checks read names, not types: a field counts as read when any product code reads a property
 * of that name, and an error counts for a handler when a function that it calls by name refuses
 * with it. They miss what is passed through objects; the conformance rules check each status over
 * HTTP.
 */
import { tsImport } from 'tsx/esm/api';
import { walk } from './source.mjs';
import { isGenerated, isTest } from './tree.mjs';

/**
 * @typedef {import('./source.mjs').Node} Node
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {{ id: string, body?: string }} Route
 * @typedef {{
 *   routes: Route[], schemas: Record<string, any>,
 * }} Contract
 */

const RULES = 'conformance/';
/** Signals of inputs and outputs, which code reads by iterating over the keys. */
const READ_BY_ITERATION = /^(ee_)?[da]\d$/;
const NOT_READERS = /^contract\/(routes|schema)\b|^(conformance|testing|fixtures)\//;
/** The page is one: its editor reads fields of toolpaths that the service only keeps. */
const READERS = /^(contract|physics|bridge|server|scheduler|viewer)\//;

/**
 * The endpoint table, the schemas and the error table of the working tree.
 * @returns {Promise<Contract>}
 */
async function loadContract() {
  const load = (/** @type {string} */ path) => tsImport(`../../contract/${path}`, import.meta.url);
  const [{ ROUTES }, { SCHEMA_IDS, schemaOf }] = await Promise.all([
    load('routes.ts'),
    load('schemas.ts'),
  ]);
  const ids = /** @type {string[]} */ (SCHEMA_IDS);
  return {
    routes: ROUTES,
    schemas: Object.fromEntries(ids.map((id) => [id, schemaOf(id)])),
  };
}

/** @type {Promise<Contract> | undefined} */
let loaded;
/** The contract of the working tree, loaded once. */
export const theContract = () => {
  loaded ??= loadContract();
  return loaded;
};

/** @param {Node} node @param {string} name @returns {Node | undefined} */
function property(node, name) {
  const found = node['properties'].find(
    (/** @type {Node} */ one) => one['key']?.name === name || one['key']?.value === name,
  );
  return found?.value;
}

/** @param {Node | undefined} list @returns {string[]} */
function strings(list) {
  if (list?.type !== 'ArrayExpression') return [];
  return list['elements'].map((/** @type {Node} */ one) => one?.['value']);
}

/** The rule files and the routes that each names. @param {Tree} tree */
function ruleFiles(tree) {
  /** @type {Map<string, Set<string>>} */
  const files = new Map();
  for (const { path, program } of tree.files.values()) {
    if (!path.startsWith(RULES) || isTest(path)) continue;
    /** @type {Set<string>} */
    const ids = new Set();
    walk(program, (node) => {
      if (node.type !== 'ObjectExpression') return;
      for (const id of strings(property(node, 'routes'))) ids.add(id);
    });
    files.set(path, ids);
  }
  return files;
}

/** The ids of route rows: object literals with an id, a method and a path. @param {Tree} tree */
function routeIds(tree) {
  const ids = new Set();
  for (const { path, program } of tree.files.values()) {
    if (!/^contract\/routes[./]/.test(path) || isTest(path)) continue;
    walk(program, (node) => {
      if (node.type !== 'ObjectExpression') return;
      const id = property(node, 'id')?.['value'];
      if (typeof id === 'string' && property(node, 'method') && property(node, 'path')) ids.add(id);
    });
  }
  return ids;
}

/** @param {Tree} tree */
export function routesHaveRules(tree) {
  const ids = routeIds(tree);
  const proven = new Set([...ruleFiles(tree).values()].flatMap((named) => [...named]));
  const problems = [...ids]
    .filter((id) => !proven.has(id))
    .map((id) => `${id}: no rule names this route; write one in conformance`);
  return { checked: ids.size, problems };
}

/**
 * The fields of a schema at any depth, each as `Definition field`.
 * @param {string} definition
 * @param {Record<string, any>} schemas
 * @param {Set<string>} [found]
 */
function fieldsOf(definition, schemas, found = new Set()) {
  /** @param {any} schema @returns {void} */
  const visit = (schema) => {
    if (schema === null || typeof schema !== 'object') return;
    const other = schema.$ref?.replace(/^.*\//, '');
    if (other !== undefined && !found.has(other)) {
      found.add(other);
      fieldsOf(other, schemas, found);
    }
    const { properties = {}, items, oneOf = [], additionalProperties } = schema;
    for (const field of Object.keys(properties)) found.add(`${definition} ${field}`);
    for (const part of [...Object.values(properties), items, ...oneOf, additionalProperties]) {
      visit(part);
    }
  };
  visit(schemas[definition]);
  return found;
}

/** Every field of a request body with the ids of its routes. @param {Contract} contract */
function requestFields({ routes, schemas }) {
  /** @type {Map<string, string[]>} */
  const fields = new Map();
  for (const { id, body } of routes) {
    const found = body === undefined ? [] : fieldsOf(body, schemas);
    for (const field of [...found].filter((one) => one.includes(' '))) {
      fields.set(field, [...(fields.get(field) ?? []), id]);
    }
  }
  return fields;
}

/**
 * The property names that a file reads: `.name`, `{ name } = …` and 'name'. @param {Source} source
 */
function namesRead({ program }) {
  const names = new Set();
  walk(program, (node) => {
    if (node.type === 'MemberExpression' && !node['computed']) names.add(node['property'].name);
    else if (node.type === 'Literal' && typeof node['value'] === 'string') names.add(node['value']);
    else if (node.type === 'ObjectPattern') {
      for (const one of node['properties']) names.add(one.key?.name ?? one.key?.value);
    }
  });
  return names;
}

/** The names that a file mentions, as identifiers or strings. @param {Source} source */
function namesMentioned({ program }) {
  const names = new Set();
  walk(program, (node) => {
    if (node.type === 'Identifier') names.add(node['name']);
    else if (node.type === 'Literal') names.add(node['value']);
  });
  return names;
}

/**
 * The names that the rules of each route mention: in the rule files that name the route, and in the
 * files of conformance that these import.
 * @param {Tree} tree
 */
function namesInRules(tree) {
  const files = ruleFiles(tree);
  /** @type {Map<string, Set<unknown>>} */
  const mentioned = new Map();
  for (const path of files.keys()) {
    mentioned.set(path, namesMentioned(/** @type {Source} */ (tree.files.get(path))));
  }
  /** @type {Map<string, Set<unknown>>} */
  const byRoute = new Map();
  for (const [path, ids] of files) {
    const { imports } = /** @type {Source} */ (tree.files.get(path));
    const near = [path, ...imports.map(({ target }) => target)];
    const names = new Set(near.flatMap((one) => [...(mentioned.get(one) ?? [])]));
    for (const id of ids) byRoute.set(id, new Set([...(byRoute.get(id) ?? []), ...names]));
  }
  return byRoute;
}

/**
 * Every field of a request body must be read by code and named by a rule of one of its routes.
 * @param {Tree} tree
 * @param {Contract} [given] default: that of the working tree
 */
export async function bodyFields(tree, given) {
  const fields = requestFields(given ?? (await theContract()));
  const readers = [...tree.files.values()].filter(
    ({ path }) =>
      READERS.test(path) && !NOT_READERS.test(path) && !isTest(path) && !isGenerated(path),
  );
  const read = new Set(readers.flatMap((source) => [...namesRead(source)]));
  const named = namesInRules(tree);
  const problems = [];
  for (const [place, ids] of fields) {
    const field = place.replace(/^.* /, '');
    const isRead = read.has(field) || READ_BY_ITERATION.test(field);
    if (!isRead) problems.push(`${place}: no code reads it; use it or remove it`);
    if (!ids.some((id) => named.get(id)?.has(field))) {
      const routes = ids.join(', ');
      problems.push(`${place}: no rule of ${routes} names it; add one in conformance`);
    }
  }
  return { checked: fields.size, problems };
}
