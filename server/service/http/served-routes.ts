/** The routes that are served: the rows of the endpoint table that have a handler. */
import { ROUTES, type RouteId, type RouteRow } from '../../../contract/routes.ts';
import type { AnyHandler, Handlers } from './handler.ts';

export interface ServedRoute {
  readonly row: RouteRow;
  readonly handler: AnyHandler;
}

/** The table of routes that Express and the index in front of it serve. */
export function servedRoutes(handlers: Handlers): readonly ServedRoute[] {
  return (ROUTES as readonly RouteRow[]).flatMap((row) => {
    const handler = handlers[row.id as RouteId] as AnyHandler | undefined;
    return handler ? [{ row, handler }] : [];
  });
}
