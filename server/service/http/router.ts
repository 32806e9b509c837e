/** The router: finds the route of a call, and answers other methods on its path. */

import type { Express, Request, Response } from 'express';
import express from 'express';
import { refuse } from '../../../contract/refusal.ts';
import type { ApplicationOptions } from './application-options.ts';
import { sendRefusal } from './error-response.ts';
import type { Exchange } from './exchange.ts';
import type { NodeAdapter } from './node-adapter.ts';
import { passesReadyCheck } from './ready-check.ts';
import { isCall } from './request-target.ts';
import type { ServedRoute } from './served-routes.ts';

/** Converts `/users/{id}` to Express syntax. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** What Express keeps beside a response: the exchange that it is part of. */
export interface ResponseLocals {
  readonly exchange: Exchange;
}

/** The routes, and what serves them once they are found. */
interface Served {
  readonly routes: readonly ServedRoute[];
  readonly adapter: Pick<NodeAdapter, 'serve'>;
}

/** Mounts every route, and 405 for other methods on their paths. */
export function mountRoutes(
  app: Express,
  options: Pick<ApplicationOptions, 'streams' | 'notReady'>,
  { routes, adapter }: Served,
): void {
  const router = express.Router({ caseSensitive: true });
  app.use((request, response, next) => {
    if (!isCall(request.url)) next();
    else if (passesReadyCheck(options, response)) router(request, response, next);
  });
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const { row } = route;
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    router[method](expressPath(row.path), (request: Request, response: Response) =>
      adapter.serve((response.locals as ResponseLocals).exchange, {
        route,
        values: request.params,
      }),
    );
    methods.set(row.path, [...(methods.get(row.path) ?? []), row.method]);
  }
  for (const path of options.streams) {
    router.get(path, (_request, response) => {
      const details = 'Open a WebSocket here: send Connection: Upgrade and Upgrade: websocket';
      sendRefusal(response, refuse('upgrade_required', details));
    });
    methods.set(path, ['GET']);
  }
  for (const [path, allowed] of methods) {
    router.all(expressPath(path), (request, response) => {
      const choice = allowed.join(', ');
      response.setHeader('Allow', choice);
      const text = `${request.method} is not possible on ${request.path}; use ${choice}`;
      sendRefusal(response, refuse('method_not_allowed', text));
    });
  }
}
