/** Formats the contract as Markdown tables for docs/reference. */

/**
 * @typedef {Record<string, any>} Schema JSON Schema
 * @typedef {{ name: string, value: string, meaning: string, origin: string }} LimitRow
 */

/** @param {string} text as a cell of a table */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/**
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
export function table(heads, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.map(cell).join(' | ')} |\n`;
  return line(heads) + line(heads.map(() => '---')) + rows.map(line).join('');
}

/** @param {string} text */
const code = (text) => `\`${text}\``;

/** The name of a schema, which /docs and openapi.json of a twin describe. @param {string | undefined} name */
const schemaName = (name) => (name === undefined ? 'none' : code(name));

/** @type {readonly (readonly [keyword: string, format: (value: any) => string])[]} */
const BOUNDS = [
  ['minimum', (value) => `≥ ${value}`],
  ['exclusiveMinimum', (value) => `> ${value}`],
  ['maximum', (value) => `≤ ${value}`],
  ['minLength', (value) => `at least ${value} characters`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minItems', (value) => `at least ${value}`],
  ['maxItems', (value) => `at most ${value}`],
  ['format', (value) => value],
  ['pattern', (value) => code(value)],
  ['default', (value) => `default ${code(JSON.stringify(value))}`],
];

/** @param {Schema} schema */
function boundsOf({ minItems, maxItems, ...schema }) {
  const items = minItems === maxItems ? {} : { minItems, maxItems };
  const all = { ...schema, ...items };
  const found = BOUNDS.filter(([keyword]) => all[keyword] !== undefined);
  return found.map(([keyword, format]) => `, ${format(all[keyword])}`).join('');
}

/** The type of a value in words. @param {Schema} schema @returns {string} */
export function typeText(schema) {
  if (schema.$ref) return schemaName(schema.$ref.replace(/^.*\//, ''));
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((/** @type {any} */ one) => code(`${one}`)).join(', ');
  if (schema.oneOf) return schema.oneOf.map(typeText).join(' or ');
  if (schema.type === 'array') {
    const fixed = schema.minItems === schema.maxItems && schema.minItems;
    const items = typeText(schema.items ?? {});
    return `array of ${fixed ? `${schema.minItems} × ` : ''}${items}${boundsOf(schema)}`;
  }
  const types = [schema.type ?? 'any'].flat().join(' or ');
  return `${types}${boundsOf(schema)}`;
}

/**
 * The rows of an object's fields, each before the fields of an object in it that has no name.
 * @param {Schema} schema
 * @param {string} prefix path of the object
 * @param {Record<string, string>} notes
 * @returns {string[][]}
 */
function fieldRows(schema, prefix, notes) {
  const required = new Set(schema.required ?? []);
  const properties = /** @type {Record<string, Schema>} */ (schema.properties);
  return Object.entries(properties).flatMap(([name, one]) => {
    const about = notes[name] ?? one.description ?? '';
    const own = [code(prefix + name), typeText(one), required.has(name) ? 'yes' : 'no', about];
    const inner = one.type === 'array' ? (one.items ?? {}) : one;
    const path = `${prefix}${name}${one.type === 'array' ? '[]' : ''}.`;
    return [own, ...(inner.properties ? fieldRows(inner, path, {}) : [])];
  });
}

/**
 * The fields of an object schema; other schemas as one line.
 * @param {Schema} schema
 * @param {Record<string, string>} [notes] descriptions by name of the field, before its own
 */
export function fieldTable(schema, notes = {}) {
  if (!schema.properties) return `${typeText(schema)}\n`;
  return table(['field', 'type', 'required', 'meaning'], fieldRows(schema, '', notes));
}

const LIMIT = /\/\*\* ([^*]+?) \(([^()]+)\)\. \*\/\n {2}(\w+): ([^\n]+),\n/g;

/**
 * The limits of contract/limits.ts: values from the module, meaning and origin from the comments.
 * @param {string} source the text of the file
 * @param {Record<string, number>} values
 * @returns {LimitRow[]}
 */
export function limitRows(source, values) {
  const comments = new Map(
    [...source.matchAll(LIMIT)].map(([, meaning = '', origin = '', name = '']) => [
      name,
      { meaning, origin },
    ]),
  );
  return Object.entries(values).map(([name, value]) => {
    const found = comments.get(name);
    if (found === undefined)
      throw new Error(
        `contract/limits.ts: ${name} has no comment; write /** Meaning (origin). */ above it, ` +
          'where origin is a section such as §8, a decision such as D7, or own',
      );
    return { name, value: value.toLocaleString('en', { maximumFractionDigits: 6 }), ...found };
  });
}

/** The unit at the end of a limit's name, after its value; longer endings first. */
const UNITS = {
  bytes_per_s: ' bytes/s',
  rad_per_s: ' rad/s',
  m_per_s: ' m/s',
  per_min: ' a minute',
  bytes: ' bytes',
  ticks: ' ticks',
  rad: ' rad',
  kg: ' kg',
  m: ' m',
  ma: ' mA',
  ms: ' ms',
  v: ' V',
  s: ' s',
};

/** @param {string} name */
function unitOf(name) {
  const found = Object.entries(UNITS).find(([suffix]) => name.endsWith(`_${suffix}`));
  return found?.[1] ?? '';
}

/** @param {LimitRow[]} rows */
export function limitTable(rows) {
  return table(
    ['limit', 'value', 'bounds', 'origin'],
    rows.map(({ name, value, meaning, origin }) => [
      code(name),
      value + unitOf(name),
      meaning,
      origin === 'own' ? '' : origin,
    ]),
  );
}

/**
 * What users share, by name.
 * @param {Record<string, any>} rows @param {(row: any) => number} aloneOf
 */
export function shareTable(rows, aloneOf) {
  const number = (/** @type {number} */ value) => value.toLocaleString('en');
  return table(
    [
      'share',
      'total',
      'one owner alone',
      'kept for the lock holder',
      'kept for admins',
      'unit',
      'error',
    ],
    Object.entries(rows).map(([name, row]) => [
      code(name),
      number(row.total),
      number(aloneOf(row)),
      number(row.forHolder),
      number(row.forAdmins),
      row.unit,
      code(row.refusal),
    ]),
  );
}

/**
 * @typedef {import('../../conformance/deviations.ts').SpecDeviation} SpecDeviation
 */

/**
 * Each deviation from the specification as a section, with what proves it.
 * @param {readonly SpecDeviation[]} deviations
 */
export function deviationSections(deviations) {
  /** @param {string} kind @param {readonly string[]} names */
  const line = (kind, names) =>
    names.length === 0 ? '' : `- ${kind}: ${names.map((name) => `\`${name}\``).join(', ')}\n`;
  return deviations
    .map(({ decision, section, spec, here, reason, rules, tests = [] }) => {
      const proof = line('Rules', rules) + line('Tests', tests);
      const texts = `- Specification: ${spec}\n- Service: ${here}\n- Reason: ${reason}\n`;
      return `## ${decision}, spec ${section}\n\n${texts}${proof}`;
    })
    .join('\n');
}
