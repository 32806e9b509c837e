/**
 * What the rules of conformance exercise when they run: which fields of request bodies they send
 * in a call that succeeds, and which errors they provoke. rule-coverage.json lists the rest; the
 * list can only shrink.
 */

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {{ error_code: number, title: string }} WireError
 * @typedef {{ id: string, method: string, path: string, body?: string }} Route
 * @typedef {{
 *   ROUTES: readonly Route[], ERROR_ROWS: Record<string, unknown>,
 *   schemaOf: (id: string) => Schema,
 *   errorNamed: (status: number, error: WireError) => string | null,
 * }} Contract
 * @typedef {{ fields: string[], errors: Record<string, string> }} Listed
 * @typedef {{ fields: Set<string>, errors: Set<string> }} Exercised
 */

const SUCCESS_BELOW = 300;
const FAILURE_FROM = 400;

/** @param {string} reference */
const nameOf = (reference) => reference.slice(reference.lastIndexOf('/') + 1);

/** The rows by their paths; those without parameters first. @param {readonly Route[]} routes */
function matcher(routes) {
  const plainFirst = (/** @type {Route} */ { path }) => (path.includes('{') ? 1 : 0);
  const rows = [...routes]
    .sort((a, b) => plainFirst(a) - plainFirst(b))
    .map((row) => ({ row, pattern: new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
  return (/** @type {string} */ method, /** @type {string} */ path) =>
    rows.find(({ row, pattern }) => row.method === method && pattern.test(path))?.row;
}

/**
 * Visits the fields of a schema, each as `Definition.field`; with a value, only those that it has.
 * @param {(id: string) => Schema} schemaOf
 * @param {(field: string) => void} seen
 */
function createVisit(schemaOf, seen) {
  const followed = (/** @type {Schema} */ schema) =>
    schema['$ref'] === undefined ? schema : schemaOf(nameOf(schema['$ref']));
  /** @param {Schema} option @param {any} value */
  const fits = (option, value) => {
    const { properties = {}, required = [] } = followed(option);
    const tags = Object.entries(properties).filter(([, field]) => field.const !== undefined);
    const has = (/** @type {string} */ name) => name in value;
    return tags.every(([name, field]) => value[name] === field.const) && required.every(has);
  };
  /** @typedef {{ owner: string, open: string[] }} At the definition, and those around it */
  /** @param {Schema} schema @param {At} at @param {any} [value] */
  const visit = (schema, at, value) => {
    const isAll = value === undefined;
    const { owner, open } = at;
    if (schema['$ref'] !== undefined) {
      const name = nameOf(schema['$ref']);
      if (isAll && open.includes(name)) return;
      visit(schemaOf(name), { owner: name, open: [...open, name] }, value);
      return;
    }
    if (!isAll && (value === null || typeof value !== 'object')) return;
    if (Array.isArray(value)) {
      for (const one of value) visit(schema['items'] ?? {}, at, one);
      return;
    }
    const { properties = {}, oneOf = [], items, additionalProperties: more } = schema;
    for (const [name, field] of Object.entries(properties)) {
      if (!isAll && value[name] === undefined) continue;
      seen(`${owner}.${name}`);
      visit(field, at, value?.[name]);
    }
    for (const option of oneOf) if (isAll || fits(option, value)) visit(option, at, value);
    if (isAll && items) visit(items, at);
    if (typeof more !== 'object') return;
    for (const one of isAll ? [undefined] : Object.values(value)) visit(more, at, one);
  };
  /** The fields of a body. @param {string} id @param {any} [value] */
  return (id, value) => visit({ $ref: id }, { owner: id, open: [] }, value);
}

/**
 * Records what passes through a `fetch`.
 * @param {Contract} contract
 */
export function createRuleCoverage(contract) {
  const routeAt = matcher(contract.ROUTES);
  /** @type {Exercised} */
  const exercised = { fields: new Set(), errors: new Set() };
  const visit = createVisit(contract.schemaOf, (field) => exercised.fields.add(field));

  /** @param {Route | undefined} row @param {unknown} body */
  function sent(row, body) {
    if (row?.body === undefined || body === undefined || body === null) return;
    const text =
      typeof body === 'string' ? body : new TextDecoder().decode(/** @type {any} */ (body));
    visit(row.body, JSON.parse(text));
  }

  /** @param {Response} reply */
  async function refused(reply) {
    const { error } = JSON.parse(await reply.clone().text());
    const name = contract.errorNamed(reply.status, error);
    if (name !== null) exercised.errors.add(name);
  }

  /** @type {typeof fetch} */
  const recordingFetch = async (input, init) => {
    const reply = await fetch(input, init);
    const { pathname } = new URL(String(input));
    const row = routeAt(init?.method ?? 'GET', pathname);
    if (reply.status < SUCCESS_BELOW) sent(row, init?.body);
    // Replies of other formats name no error.
    else if (reply.status >= FAILURE_FROM) await refused(reply).catch(() => {});
    return reply;
  };
  return { fetch: recordingFetch, exercised };
}

/**
 * The problems of a full run: what no rule exercises and the list does not name, and what the list
 * names for no reason.
 * @param {Contract} contract
 * @param {Exercised} exercised
 * @param {Listed} listed
 * @returns {string[]}
 */
export function coverageProblems({ ROUTES, ERROR_ROWS, schemaOf }, exercised, listed) {
  /** @type {Set<string>} */
  const all = new Set();
  const visit = createVisit(schemaOf, (field) => all.add(field));
  for (const { body } of ROUTES) if (body !== undefined) visit(body);
  const unsent = [...all].filter((field) => !exercised.fields.has(field));
  const unseen = Object.keys(ERROR_ROWS).filter((name) => !exercised.errors.has(name));
  const lists = 'tools/setup/rule-coverage.json';
  const has = (/** @type {string[]} */ list) => (/** @type {string} */ one) => list.includes(one);
  const named = Object.keys(listed.errors);
  return [
    ...unsent
      .filter((field) => !has(listed.fields)(field))
      .map(
        (field) => `FAIL ${field}: no rule of conformance sends this field of a request
     body in a call that succeeds; add one that sends it and checks its effect`,
      ),
    ...unseen
      .filter((name) => !has(named)(name))
      .map(
        (name) => `FAIL error ${name}: no rule of conformance provokes it; add one, or list
     it in ${lists} with the test that does`,
      ),
    ...listed.fields
      .filter((field) => !has(unsent)(field))
      .map((field) => `FAIL ${field}: a rule sends it now, or it is gone; remove it from ${lists}`),
    ...named
      .filter((name) => !has(unseen)(name))
      .map(
        (name) => `FAIL error ${name}: a rule provokes it now, or it is gone; remove it from
     ${lists}`,
      ),
  ];
}
