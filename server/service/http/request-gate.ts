import type { RequestListener } from 'node:http';
import { refuse } from '../../../contract/refusal.ts';
import { sendRefusal } from './error-response.ts';
import { HostPolicy } from './host-policy.ts';
import { sendJson } from './response.ts';

/** Forwards requests to the current handler; until one is set, answers 503. */
export class RequestGate {
  private handler: RequestListener = (request, response) => {
    if (request.url === '/livez') sendJson(response, 200, { alive: true });
    else sendRefusal(response, refuse('not_ready', { reasons: ['The joints are starting'] }));
  };

  private readonly hosts: HostPolicy;

  constructor(hosts = new HostPolicy([])) {
    this.hosts = hosts;
  }

  readonly listener: RequestListener = (request, response) => {
    const refusal = this.hosts.refusalOf(request);
    if (refusal) sendRefusal(response, refusal);
    else this.handler(request, response);
  };

  setHandler(handler: RequestListener): void {
    this.handler = handler;
  }
}
