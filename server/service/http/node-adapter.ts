/** Node's HTTP as an adapter of the pipeline: reads a request as a value, and writes the answer. */
import { refuse } from '../../../contract/refusal.ts';
import type { RouteRow } from '../../../contract/routes.ts';
import { authorizationOf } from './authentication.ts';
import { openDeadline } from './deadline.ts';
import { type DialectSetting, dialectOf } from './dialect.ts';
import { sendRefusal } from './error-response.ts';
import type { Exchange } from './exchange.ts';
import type { Pipeline } from './pipeline.ts';
import { type CallTarget, pathOf } from './request-target.ts';
import { sendReply } from './response.ts';
import type { FoundRoute } from './route-index.ts';
import type { RouteAnswer, RouteRequest } from './route-request.ts';
import { NO_PROXIES, type TrustedProxies } from './trusted-proxies.ts';

export interface AdapterOptions {
  readonly dialect: DialectSetting;
  /** Delays a finished reply; returns false for a reply that must not be sent. */
  readonly beforeReply?: (call: CallTarget) => boolean | Promise<boolean>;
  /** The proxies that say for whom they call; absent: none. */
  readonly proxies?: TrustedProxies;
  /** Receives errors of replies that could not be written. */
  readonly onBug: (error: unknown, row: RouteRow | null) => void;
}

export class NodeAdapter {
  private readonly pipeline: Pipeline;
  private readonly options: AdapterOptions;
  private readonly proxies: TrustedProxies;

  constructor(pipeline: Pipeline, options: AdapterOptions) {
    this.pipeline = pipeline;
    this.options = options;
    this.proxies = options.proxies ?? NO_PROXIES;
  }

  /** Answers an exchange by the pipeline: synchronously where its handler is. */
  serve(exchange: Exchange, found: FoundRoute): void {
    exchange.route = found.route.row.id;
    const request = this.requestOf(exchange, found);
    const answer = this.pipeline.answer(request);
    if (!(answer instanceof Promise)) this.reply(exchange, request, answer);
    else {
      exchange.response.once('close', () => {
        request.deadline.isLeft = true;
      });
      void answer.then((late) => this.reply(exchange, request, late));
    }
  }

  private requestOf(exchange: Exchange, { route, values }: FoundRoute): RouteRequest {
    const { request, connection } = exchange;
    const { method = '', url = '', headers } = request;
    return {
      route,
      method,
      url,
      pathValues: values,
      headers,
      authorization: route.row.auth === 'none' ? undefined : authorizationOf(request),
      origin: this.proxies.originOf(connection.address ?? '', headers),
      dialect: dialectOf(this.options.dialect, headers),
      body: exchange,
      deadline: openDeadline(),
      observer: exchange,
    };
  }

  private reply(exchange: Exchange, request: RouteRequest, answer: RouteAnswer): void {
    const { method, url } = request;
    const isSent = this.options.beforeReply?.({ method, path: pathOf(url) }) ?? true;
    const send = (allowed: boolean) => {
      if (allowed) this.send(exchange, request, answer);
      else exchange.connection.socket.destroy();
    };
    if (isSent instanceof Promise) void isSent.then(send);
    else send(isSent);
  }

  private send(
    { response }: Exchange,
    { route: { row }, dialect }: RouteRequest,
    { answer, headers }: RouteAnswer,
  ): void {
    if (response.headersSent || response.destroyed) return;
    for (const name of Object.keys(headers)) response.setHeader(name, headers[name]!);
    try {
      if ('refused' in answer) sendRefusal(response, answer);
      else sendReply(response, row, dialect, answer);
    } catch (error) {
      this.options.onBug(error, row);
      if (!response.headersSent) sendRefusal(response, refuse('internal'));
    }
  }
}
