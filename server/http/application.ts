/**
 * The HTTP application (D8): what every request meets, and the way to a call. A call with a plain
 * address goes to its pipeline; Express has the rest, and is loaded with the first request for it
 * where no tick waits for that.
 */

import type { RequestListener } from 'node:http';
import { refuse } from '../../contract/refusal.ts';
import type { AnsweredRequest } from '../metrics/metrics.ts';
import { type PipelineOptions, PlainCalls, pipelinesOf } from './pipeline.ts';
import { sendRefusal } from './reply.ts';
import { accessLog, allowOrigin, passesReadyCheck, securityHeaders } from './request-parts.ts';
import { closeUnreadBodies, type RequestObserver } from './server.ts';

export interface ApplicationOptions extends PipelineOptions {
  /** Folder of the built viewer; null serves none. */
  readonly viewer: string | null;
  /** Folder of the API documentation page, at /docs; null serves none. */
  readonly docsPage: string | null;
  /** Documents served as JSON, by path. */
  readonly documents: Readonly<Record<string, (baseUrl: string) => object>>;
  readonly allowedOrigins: readonly string[];
  /** Observes every request before it is handled. */
  readonly watch?: RequestObserver;
  /** Why the service is not ready for commands; empty when it is. */
  readonly notReadyReasons: () => readonly string[];
  /** Why saves are refused; null when they are not. */
  readonly storageFault: () => string | null;
  readonly metrics: {
    readonly contentType: string;
    text(): Promise<string>;
  };
  /** Whether Express is loaded late: with the first request that it answers. */
  readonly isLate: boolean;
  /** Receives every answered request. */
  readonly onAnswered: (request: AnsweredRequest) => void;
}

/** The observers that see each request before it is handled. */
function requestObservers({
  services,
  onAnswered,
  watch,
}: ApplicationOptions): readonly RequestObserver[] {
  const headers = securityHeaders();
  return [
    closeUnreadBodies(services.wall),
    accessLog(services.wall, onAnswered),
    ...(watch ? [watch] : []),
    (_request, response) => {
      for (const [name, value] of headers) response.setHeader(name, value);
    },
  ];
}

/** Loads Express and what it serves; takes longer than a tick. */
export const loadExpress = () => import('./express-application.ts');

/** Creates the application. */
export function createApplication(options: ApplicationOptions): RequestListener {
  const observers = requestObservers(options);
  const pipelines = pipelinesOf(options);
  const calls = new PlainCalls(pipelines);
  let others: Promise<RequestListener> | null = null;
  const loadOthers = () => {
    others ??= loadExpress().then(({ createExpressApplication }) =>
      createExpressApplication(options, pipelines),
    );
    return others;
  };
  if (!options.isLate) void loadOthers();
  return (request, response) => {
    for (const observe of observers) observe(request, response);
    const found = calls.find(request.method, request.url);
    if (!found) {
      loadOthers().then(
        (answer) => answer(request, response),
        (error: unknown) => {
          options.onBug(error, null);
          sendRefusal(response, refuse('internal'));
        },
      );
    } else {
      allowOrigin(request, response, options.allowedOrigins);
      if (!passesReadyCheck(options, response)) return;
      found.pipeline.serve(request, response, found.values);
    }
  };
}
