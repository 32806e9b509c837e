/**
 * Routing: calls without path parameters by a lookup table, all others through Express, with 405
 * for known paths with a wrong method.
 */
import express, { type Express, type Request } from 'express';
import { refuse } from '../../contract/refusal.ts';
import { ROUTES, type RouteId, type RouteRow } from '../../contract/routes.ts';
import { type AnyHandler, Pipeline, type PipelineOptions } from './pipeline.ts';
import { sendRefusal } from './reply.ts';
import { isCall, passesReadyCheck } from './request-context.ts';

/** Converts `/users/{id}` to Express syntax. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Every route that has a handler, with its pipeline. */
export function pipelinesOf(options: PipelineOptions): readonly (readonly [RouteRow, Pipeline])[] {
  return (ROUTES as readonly RouteRow[]).flatMap((row) => {
    const handler = options.handlers[row.id as RouteId] as AnyHandler | undefined;
    return handler ? [[row, new Pipeline(row, handler, options)] as const] : [];
  });
}

type Pipelines = ReturnType<typeof pipelinesOf>;

/** The pipelines of routes without path parameters, by method and path. */
export function directCalls(pipelines: Pipelines): ReadonlyMap<string, Pipeline> {
  const direct = pipelines.filter(([{ path }]) => !path.includes('{'));
  return new Map(direct.map(([{ method, path }, pipeline]) => [`${method} ${path}`, pipeline]));
}

/** Mounts every route, and 405 for other methods on their paths. */
export function mountRoutes(app: Express, pipelines: Pipelines, options: PipelineOptions): void {
  const router = express.Router({ caseSensitive: true });
  app.use((request, response, next) => {
    if (!isCall(request.url)) next();
    else if (passesReadyCheck(options, request, response)) router(request, response, next);
  });
  const methods = new Map<string, string[]>();
  for (const [row, pipeline] of pipelines) {
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    router[method](expressPath(row.path), (request: Request, response) =>
      pipeline.serve(request, response, request.params),
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
      response.setHeader('Allow', allowed.join(', '));
      const text = `${request.method} is not possible on ${request.path}; use ${allowed.join(', ')}`;
      sendRefusal(response, refuse('method_not_allowed', text));
    });
  }
}
