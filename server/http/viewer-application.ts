/**
 * What answers HTTP where there is no arm of our own: the page, health, and calls handed on. Apart
 * from the application of a twin, which has rooms and rows behind it.
 */
import express, { type Express, type Request, type Response } from 'express';
import { refuse } from '../robot/refusal.ts';
import { answerTheRest, contentSecurity, pages } from './application.ts';
import { sendRefusal } from './error-reply.ts';
import { isCall } from './mount.ts';

/** The hand on a twin stays at home: it is the twin's own operator's. */
const HAND = '/sim/';

/** Whether a call is handed on. */
export function isHandedOn(url: string): boolean {
  return isCall(url) && !url.startsWith(HAND);
}

export interface ViewerApplicationOptions {
  /** Folder of the built viewer. */
  readonly viewer: string;
  /** Hands a call on. */
  readonly call: (request: Request, response: Response) => void;
  /** Whether the arm behind answers. */
  readonly answers: () => Promise<boolean>;
  /** Told of what failed within. */
  readonly onBug: (error: unknown) => void;
}

/** Assembles the page, health, and what hands calls on. */
export function createViewerApplication(options: ViewerApplicationOptions): Express {
  const { viewer, call, answers, onBug } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    if (isHandedOn(request.url)) call(request, response);
    else next();
  });
  app.use(contentSecurity);
  app.get('/livez', (_request, response) => {
    response.json({ alive: true });
  });
  app.get('/readyz', async (_request, response) => {
    if (await answers()) response.json({ ready: true });
    else sendRefusal(response, refuse('not_ready', { reasons: ['the arm behind is silent'] }));
  });
  pages(app, { viewer, docsPage: null });
  answerTheRest(app, onBug);
  return app;
}
