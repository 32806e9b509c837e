/** The calls that webhooks make, without a network: each test decides how a call ends. */
import { EventEmitter } from 'node:events';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';

/** Lets everything happen that waits for neither a timer nor a call. */
export const turn = () => new Promise(setImmediate);

/** What a webhook reads of an `IncomingMessage`. */
type Reply = PassThrough & Pick<IncomingMessage, 'statusCode' | 'headers'>;
type OnReply = (reply: Reply) => void;

/** One call, in place of a `ClientRequest`. */
export class SimulatedCall extends EventEmitter {
  readonly module: 'http' | 'https';
  readonly options: RequestOptions & { readonly servername?: string };
  body = '';
  isOver = false;
  private readonly onReply: OnReply;

  constructor(module: 'http' | 'https', options: RequestOptions, onReply: OnReply) {
    super();
    this.module = module;
    this.options = options;
    this.onReply = onReply;
  }

  /** A header of the request. */
  header(name: string): unknown {
    return (this.options.headers as Record<string, unknown>)[name];
  }

  end(body: string): void {
    this.body = body;
  }

  destroy(error?: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    if (error) this.emit('error', error);
    this.emit('close');
  }

  /** A reply without a body. */
  async answer(statusCode: number, headers: Record<string, string> = {}): Promise<void> {
    this.isOver = true;
    this.emit('socket', { connecting: false });
    const reply = Object.assign(new PassThrough(), { statusCode, headers });
    this.onReply(reply);
    reply.end();
    await turn();
  }

  /** No connection is made. */
  async refuse(): Promise<void> {
    this.emit('socket', { connecting: true, once: () => {} });
    this.destroy(new Error('connect ECONNREFUSED'));
    await turn();
  }
}

/** Records calls in place of the network, until `restore`. */
export class SimulatedCalls {
  readonly made: SimulatedCall[] = [];
  private readonly requests = { http: http.request, https: https.request };

  constructor() {
    const calling = (module: 'http' | 'https') => (options: RequestOptions, onReply: OnReply) => {
      const call = new SimulatedCall(module, options, onReply);
      this.made.push(call);
      return call;
    };
    this.use({ http: calling('http'), https: calling('https') });
  }

  private use(requests: { readonly http: unknown; readonly https: unknown }): void {
    Object.assign(http, { request: requests.http });
    Object.assign(https, { request: requests.https });
    syncBuiltinESMExports();
  }

  restore(): void {
    this.use(this.requests);
  }

  /** The latest call. */
  get last(): SimulatedCall {
    return this.made.at(-1)!;
  }

  /** The calls without an end, in their order. */
  get open(): SimulatedCall[] {
    return this.made.filter(({ isOver }) => !isOver);
  }
}
