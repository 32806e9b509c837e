/**
 * The file of recorded examples. `npm run generate examples` records them; `npm run generate` drops
 * those that no longer fit their schema, so that a changed schema needs no new recording at once.
 */
import { tsImport } from 'tsx/esm/api';

export const EXAMPLES_FILE = 'contract/api-docs/examples.generated.json';

/** @typedef {{ body?: unknown, reply?: unknown, refusals: Record<string, unknown> }} Example */

/** The text of the file. @param {Record<string, Example>} examples */
export function examplesText(examples) {
  return `${JSON.stringify(examples, null, 1)}\n`;
}

/** @param {string} path */
const load = (path) => tsImport(`../../contract/${path}`, import.meta.url);

/** The file with only the examples that fit the contract of the working tree. */
export async function currentExamples() {
  const { RECORDED_EXAMPLES } = await load('api-docs/recorded-examples.ts');
  const { ROUTES, errorsOf } = await load('routes.ts');
  const { detailsSchemaOf } = await load('errors.ts');
  const { validate } = await load('validator.ts');
  /** @param {string} schema @param {unknown} value */
  const fits = (schema, value) => validate(schema, value, { dialect: 'documented' }).ok;
  /** @param {any} row @returns {[string, Example][]} */
  const current = (row) => {
    const { body, reply, refusals } = RECORDED_EXAMPLES[row.id] ?? {};
    if (refusals === undefined) return [];
    const names = new Set(errorsOf(row));
    const listed = Object.entries(refusals).filter(
      ([name, details]) => names.has(name) && fits(detailsSchemaOf(name), details),
    );
    const isWhole =
      (body === undefined || (row.body && fits(row.body, body))) &&
      (reply === undefined || (row.reply && fits(row.reply, reply)));
    const exchange = isWhole ? { body, reply } : {};
    return [[row.id, { ...exchange, refusals: Object.fromEntries(listed) }]];
  };
  return examplesText(Object.fromEntries(ROUTES.flatMap(current)));
}
