/**
 * The types of request handlers: which call a route gives its handler, and what the handler may
 * answer.
 */
import type { ErrorOf, RouteId, RouteOf } from '../../../contract/routes.ts';
import type { SchemaTypes } from '../../../contract/types.generated.ts';
import type { DocumentBodies } from '../../documents/document-bodies.ts';
import type { Call, SessionCall } from './call.ts';
import type { Answer } from './reply.ts';
import type { Services } from './services.ts';

type BodyOf<Id extends RouteId> = Id extends keyof DocumentBodies
  ? DocumentBodies[Id]
  : SchemaBodyOf<Id>;

type SchemaBodyOf<Id extends RouteId> =
  RouteOf<Id> extends { body: infer Name extends keyof SchemaTypes } ? SchemaTypes[Name] : unknown;

type CallOf<Id extends RouteId> =
  RouteOf<Id> extends { auth: 'none' } ? Call<BodyOf<Id>> : SessionCall<BodyOf<Id>>;

export type Handler<Id extends RouteId = RouteId> = (
  call: CallOf<Id>,
  services: Services,
) => Answer<ErrorOf<Id>> | Promise<Answer<ErrorOf<Id>>>;

/** Handlers by route id; routes without one answer 404. */
export type Handlers = { readonly [Id in RouteId]?: Handler<Id> };

export type AnyHandler = (call: Call, services: Services) => Answer | Promise<Answer>;
