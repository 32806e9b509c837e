/** The values that a call sends, and where they go: path, query and body. */
import { fillPath, type RouteRow } from '../routes.ts';

/** The values that a call sends. */
export interface CallParts {
  readonly parameters?: { readonly [name: string]: number | string };
  readonly query?: { readonly [name: string]: number | string | undefined };
  readonly body?: unknown;
}

/** Sorts the arguments of a call into path values, body and query. */
export function partsOf(row: RouteRow, given: readonly unknown[]): CallParts {
  const rest = [...given];
  const parameters = row.path.includes('{') ? rest.shift() : {};
  const body = row.body !== undefined || row.carries === 'package' ? rest.shift() : undefined;
  const query = row.query === undefined ? {} : (rest.shift() ?? {});
  return { parameters, body, query } as CallParts;
}

/** Path and query of a call. */
export function addressOf(row: RouteRow, { parameters = {}, query = {} }: CallParts): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = present.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join('&');
  return fillPath(row.path, parameters) + (text && `?${text}`);
}
