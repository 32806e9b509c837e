import type { Express, NextFunction, Request, Response } from 'express';
import { refuse } from '../../../contract/refusal.ts';
import type { ApplicationOptions } from './application-options.ts';
import { sendRefusal } from './error-response.ts';

/** Handles unknown paths and unhandled errors; `onBug` receives the errors. */
export function addFallbackHandlers(app: Express, onBug: ApplicationOptions['onBug']): void {
  app.use((request, response) => {
    sendRefusal(response, refuse('unknown_path', `There is nothing at ${request.path}`));
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const malformed = error instanceof URIError;
    if (!malformed) onBug(error, null);
    sendRefusal(response, refuse(malformed ? 'unknown_path' : 'internal'));
  });
}
