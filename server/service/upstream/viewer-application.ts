/** The HTTP application of `--upstream`: the viewer, health endpoints, and the API proxy. */
import type { Express, Request, Response } from 'express';
import { refuse } from '../../../contract/refusal.ts';
import { sendRefusal } from '../http/error-response.ts';
import { exactApplication } from '../http/exact-application.ts';
import { addFallbackHandlers } from '../http/fallback-handlers.ts';
import { contentSecurityHeaders } from '../http/security-headers.ts';
import { serveStaticPages } from '../http/static-pages.ts';
import { isProxied } from './proxied-paths.ts';

export interface ViewerApplicationOptions {
  /** Folder of the built viewer. */
  readonly viewer: string;
  /** Proxies a call. */
  readonly call: (request: Request, response: Response) => void;
  /** Why the arm cannot be used; null when it answers. */
  readonly upstreamFault: () => Promise<string | null>;
  /** Receives unhandled errors. */
  readonly onBug: (error: unknown) => void;
}

/** Creates the application. */
export function createViewerApplication(options: ViewerApplicationOptions): Express {
  const { viewer, call, upstreamFault, onBug } = options;
  const app = exactApplication();
  app.use((request, response, next) => {
    if (isProxied(request.url)) call(request, response);
    else next();
  });
  app.use(contentSecurityHeaders);
  app.get('/livez', (_request, response) => {
    response.json({ alive: true });
  });
  app.get('/readyz', async (_request, response) => {
    const fault = await upstreamFault();
    if (fault === null) response.json({ ready: true });
    else sendRefusal(response, refuse('not_ready', { reasons: [fault] }));
  });
  serveStaticPages(app, { viewer, docsPage: null });
  addFallbackHandlers(app, onBug);
  return app;
}
