/** The types of the client's methods, derived from the endpoint table: arguments and replies. */

import type { PathParameter } from '../routes/path.ts';
import type { Route, RouteId, RouteOf } from '../routes.ts';
import type { SchemaTypes } from '../types.generated.ts';

/** The type of the body of a call; never where it has none. */
export type BodyOf<Id extends RouteId> =
  RouteOf<Id> extends { body: infer Name extends keyof SchemaTypes } ? SchemaTypes[Name] : never;

/** The type of the reply of a call; undefined where it has none. */
export type ReplyOf<Id extends RouteId> =
  RouteOf<Id> extends { reply: infer Name extends keyof SchemaTypes }
    ? SchemaTypes[Name]
    : RouteOf<Id> extends { media: string }
      ? string
      : undefined;

/** The values of the path parameters. */
export type ParametersOf<Id extends RouteId> = {
  readonly [Name in PathParameter<RouteOf<Id>['path']>]: Name extends `${string}_name`
    ? string
    : number;
};

/** The values of the query parameters. */
export type QueryOf<Id extends RouteId> =
  RouteOf<Id> extends { query: infer Query }
    ? { readonly [Name in keyof Query & string]?: number } & FiltersOf<Id>
    : never;

type FiltersOf<Id extends RouteId> =
  RouteOf<Id> extends { filters: infer Filters }
    ? { readonly [Name in keyof Filters & string]?: string }
    : object;

type PathArguments<Id extends RouteId> = [PathParameter<RouteOf<Id>['path']>] extends [never]
  ? []
  : [parameters: ParametersOf<Id>];

type BodyArguments<Id extends RouteId> =
  RouteOf<Id> extends { carries: 'package' }
    ? [bytes: Uint8Array<ArrayBuffer>]
    : [BodyOf<Id>] extends [never]
      ? []
      : RouteOf<Id> extends { bodyOptional: true }
        ? [body?: BodyOf<Id>]
        : [body: BodyOf<Id>];

type QueryArguments<Id extends RouteId> = [QueryOf<Id>] extends [never]
  ? []
  : [query?: QueryOf<Id>];

/** The arguments of a call: path values, body, query; each only if the call has it. */
export type CallArguments<Id extends RouteId> = [
  ...PathArguments<Id>,
  ...BodyArguments<Id>,
  ...QueryArguments<Id>,
];

/** The endpoints that are calls: all but the streams. */
export type CallId = Exclude<Route, { carries: 'stream' } | { media: 'text/event-stream' }>['id'];

/** The method of an endpoint. */
export type ClientCall<Id extends CallId> = (...parts: CallArguments<Id>) => Promise<ReplyOf<Id>>;

export type { Calls } from './calls.generated.ts';
