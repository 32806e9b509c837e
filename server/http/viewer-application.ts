/** The HTTP application of `--upstream`: the viewer, health endpoints, and the API proxy. */
import express, { type Express, type Request, type Response } from 'express';
import { refuse } from '../../contract/refusal.ts';
import { addFallbackHandlers, contentSecurityHeaders, serveStaticPages } from './application.ts';
import { sendRefusal } from './error-reply.ts';
import { isCall } from './mount.ts';

/** The simulation control API is not proxied: it is for the operator of that twin. */
const SIMULATION_PATH = '/sim/';

/** Whether a call is proxied. */
export function isProxied(url: string): boolean {
  return isCall(url) && !url.startsWith(SIMULATION_PATH);
}

export interface ViewerApplicationOptions {
  /** Folder of the built viewer. */
  readonly viewer: string;
  /** Proxies a call. */
  readonly call: (request: Request, response: Response) => void;
  /** Whether the arm isReachable. */
  readonly isUpstreamReachable: () => Promise<boolean>;
  /** Receives unhandled errors. */
  readonly onBug: (error: unknown) => void;
}

/** Creates the application. */
export function createViewerApplication(options: ViewerApplicationOptions): Express {
  const { viewer, call, isUpstreamReachable: isReachable, onBug } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    if (isProxied(request.url)) call(request, response);
    else next();
  });
  app.use(contentSecurityHeaders);
  app.get('/livez', (_request, response) => {
    response.json({ alive: true });
  });
  app.get('/readyz', async (_request, response) => {
    if (await isReachable()) response.json({ ready: true });
    else
      sendRefusal(response, refuse('not_ready', { reasons: ['the upstream arm does not answer'] }));
  });
  serveStaticPages(app, { viewer, docsPage: null });
  addFallbackHandlers(app, onBug);
  return app;
}
