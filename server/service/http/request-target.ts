/** The target of a request: its path with the ids and names in it, and its query. */

import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { failure, type Result, success } from '../../../contract/result.ts';
import { isNameParameter } from '../../../contract/routes/path.ts';
import { ROUTES, type RouteRow } from '../../../contract/routes.ts';

/** Method and path of a call, without the query string. */
export interface CallTarget {
  readonly method: string;
  readonly path: string;
}

/** The parameters of a path: ids and names. */
export interface PathParameters {
  readonly parameters: Readonly<Record<string, number>>;
  readonly names: Readonly<Record<string, string>>;
}

/** The ids and names in a path, or null if an id is not a positive integer, in its one spelling. */
export function parametersOf(pathValues: Readonly<Record<string, unknown>>): PathParameters | null {
  const values: Record<string, number> = {};
  const names: Record<string, string> = {};
  for (const name of Object.keys(pathValues)) {
    const text = String(pathValues[name]);
    if (isNameParameter(name)) {
      names[name] = text;
      continue;
    }
    if (!/^[1-9][0-9]{0,14}$/.test(text)) return null;
    values[name] = Number(text);
  }
  return { parameters: values, names };
}

/** The query parameters: whole numbers, and texts that select entries. */
export interface QueryValues {
  readonly query: Readonly<Record<string, number>>;
  readonly filters: Readonly<Record<string, string>>;
}

const NO_VALUES: QueryValues = { query: {}, filters: {} };

/** The filters that the route defines, or a refusal of an invalid one. */
function filtersOf(row: RouteRow, given: URLSearchParams): Result<QueryValues['filters'], Refusal> {
  const values: Record<string, string> = {};
  for (const [name, { maxLength, enum: allowed }] of Object.entries(row.filters ?? {})) {
    const [text, ...more] = given.getAll(name);
    if (text === undefined) continue;
    const isKnown = allowed?.includes(text) ?? text.length <= maxLength;
    if (more.length > 0 || !isKnown) {
      const choice = allowed ? `one of ${allowed.join(', ')}` : `at most ${maxLength} characters`;
      const details = [{ path: `?${name}`, problem: `must be given once, ${choice}` }];
      return failure(refuse('invalid_arguments', details));
    }
    values[name] = text;
  }
  return success(values);
}

/** The query parameters that the route defines, or a refusal of an invalid one. */
export function queryOf(row: RouteRow, url: string): Result<QueryValues, Refusal> {
  if (!row.query) return success(NO_VALUES);
  const given = new URLSearchParams(url.slice(pathOf(url).length));
  const values: Record<string, number> = {};
  for (const [name, bounds] of Object.entries(row.query)) {
    const [text, ...more] = given.getAll(name);
    if (text === undefined) continue;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
    const { minimum, maximum = Number.MAX_SAFE_INTEGER } = bounds;
    if (more.length > 0 || !(value >= minimum && value <= maximum)) {
      const upTo = bounds.maximum === undefined ? '' : `, at most ${maximum}`;
      const problem = `must be one whole number, at least ${minimum}${upTo}`;
      return failure(refuse('invalid_arguments', [{ path: `?${name}`, problem }]));
    }
    values[name] = value;
  }
  const filters = filtersOf(row, given);
  return filters.ok ? success({ query: values, filters: filters.value }) : filters;
}

/** A URL without its query string. */
export function pathOf(url = ''): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** First path segments of API calls, such as `/api/`; no page is below them. */
const CALL_PREFIXES = [
  ...new Set(ROUTES.map(({ path }) => path.slice(0, path.indexOf('/', 1) + 1))),
];

/** Whether a URL is an API call, known or unknown. */
export function isCall(url: string): boolean {
  return CALL_PREFIXES.some((prefix) => url.startsWith(prefix));
}
