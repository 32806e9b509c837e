import type { Express } from 'express';
import express from 'express';

/**
 * An application whose addresses are exact, as those of the API: a proxy that hides `/metrics`
 * hides all of it.
 */
export function exactApplication(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  return app;
}
