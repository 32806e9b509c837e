import { refuse } from '../../../contract/refusal.ts';
import { sendRefusal } from './error-response.ts';
import type { ExchangeListener } from './exchange.ts';
import { HostPolicy } from './host-policy.ts';
import { sendJson } from './response.ts';

/** Forwards requests to the current handler; until one is set, answers 503. */
export class RequestGate {
  private handler: ExchangeListener = ({ request, response }) => {
    if (request.url === '/livez') sendJson(response, 200, { alive: true });
    else sendRefusal(response, refuse('not_ready', { reasons: ['The joints are starting'] }));
  };

  private readonly hosts: HostPolicy;

  constructor(hosts = new HostPolicy([])) {
    this.hosts = hosts;
  }

  readonly listener: ExchangeListener = (exchange) => {
    const refusal = this.hosts.refusalOf(exchange.request);
    if (refusal) sendRefusal(exchange.response, refusal);
    else this.handler(exchange);
  };

  setHandler(handler: ExchangeListener): void {
    this.handler = handler;
  }
}
