/**
 * The forward proxy of a command (RFC 9110 §3.7, §9.3.6): what the command sends to the address of
 * its arm goes to the twin, calls and websockets, so that a script with a typed-in address, and a
 * typed-in token, runs as it is. Nothing goes anywhere else: what is for another host is refused and said.
 */
import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, BlockList, connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { endToEndHeaders } from '../../service/http/end-to-end-headers.ts';
import { isPrivateName } from '../../service/http/host-policy.ts';

/** The variables by which HTTP libraries find a proxy; both spellings are in use. */
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy'];
/** What the command reaches without the proxy: its own machine, the twin by its own address too. */
const DIRECT = 'localhost,127.0.0.1,::1';

/** The call that logs in with an API token. */
const LOGIN = '/api/v1/auth';
/** A longer body is no login, and is passed on as it comes. */
const LOGIN_MAX_BYTES = 4096;

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** The answer to a log-in with a token that the twin does not know. */
const UNKNOWN = 401;
const REFUSED = 403;
const UNREACHABLE = 502;

/** Networks that are not the internet (RFC 1918, 3927, 4193, 4291). */
const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('169.254.0.0', 16);
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Whether a host can be an arm of this site, and no server of the internet. */
export function isPrivateHost(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return isPrivateName(host.toLowerCase());
  return PRIVATE.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** The host of an authority such as `10.0.0.2:80` or `[fe80::1]:80`, and its port. */
function placeOf(
  authority: string,
  port: number,
): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, given] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(authority) ?? [];
  return { host: bracketed ?? plain ?? '', port: given === undefined ? port : Number(given) };
}

/** The headers to pass on, flat, with how the body ends: as it came, or with a length of its own. */
function forwarded(message: IncomingMessage, length?: number): string[] {
  const isChunked = message.headers['transfer-encoding'] !== undefined;
  const framing = isChunked ? ['Transfer-Encoding', 'chunked'] : [];
  const headers = endToEndHeaders(message).flatMap(([name, value]) => {
    const isLength = length !== undefined && name.toLowerCase() === 'content-length';
    return [name, isLength ? String(length) : value];
  });
  return [...headers, ...framing];
}

/**
 * The body of a login with the API token of the twin in the place of the one that the command has
 * typed in, which is its arm's; null where there is nothing to replace.
 */
function loginWith(token: string, body: Buffer): Buffer | null {
  try {
    const login: unknown = JSON.parse(body.toString());
    if (typeof login !== 'object' || login === null || !('token' in login)) return null;
    if (typeof login.token !== 'string' || login.token === token) return null;
    return Buffer.from(JSON.stringify({ ...login, token }));
  } catch {
    return null;
  }
}

export interface ForwardProxyOptions {
  /** The twin. */
  readonly url: string;
  /** Its API token, for which one that it does not know stands; null: the command must have a right one. */
  readonly token: string | null;
  /** The addresses of the arm, in lower case; empty: every private one. */
  readonly as: readonly string[];
  /** Hears once of each host that is refused, and of the token that is replaced. */
  readonly onSaid: (message: string) => void;
  /** Hears of each answer of the twin, by its path, that the command gets another one for. */
  readonly onReplaced: (path: string) => void;
}

/** A call of the command. */
interface Asked {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

export class ForwardProxy {
  private readonly options: ForwardProxyOptions;
  private readonly twin: { readonly host: string; readonly port: number };
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  private readonly sockets = new Set<Duplex>();
  private readonly said = new Set<string>();

  private constructor(options: ForwardProxyOptions) {
    this.options = options;
    const { hostname, port } = new URL(options.url);
    this.twin = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || HTTP_PORT };
    this.server = createServer((incoming, response) => this.pass(incoming, response));
    this.server.on('connect', (incoming, socket, head) => this.tunnel(incoming, socket, head));
    this.server.on('upgrade', (incoming, socket, head) => this.upgrade(incoming, socket, head));
    this.server.on('connection', (socket) => this.keep(socket));
  }

  /** Starts a proxy on a free port of this machine. */
  static async start(options: ForwardProxyOptions): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(options);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The variables that send the HTTP of a command here. */
  get environment(): Readonly<Record<string, string>> {
    const { port } = this.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const names = [...PROXY_VARIABLES, ...PROXY_VARIABLES.map((name) => name.toUpperCase())];
    const proxies = names.map((name) => [name, url] as const);
    return { ...Object.fromEntries(proxies), no_proxy: DIRECT, NO_PROXY: DIRECT };
  }

  /** Ends the proxy and everything that goes through it. */
  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.agent.destroy();
    this.server.close();
  }

  private keep(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }

  /** Why a host is not reached through here; null if it is the arm. */
  private refusalOf({ host, port }: { readonly host: string; readonly port: number }) {
    const { as } = this.options;
    const isArm = as.length > 0 ? as.includes(host.toLowerCase()) : isPrivateHost(host);
    if (isArm && port !== HTTPS_PORT) return null;
    const arm = as.length > 0 ? as.join(' and ') : 'private addresses';
    const problem = isArm
      ? `${host}: the arm speaks plain HTTP, and this is HTTPS`
      : `${host} is not the arm: ${arm} reach the twin here, and nothing else is passed on`;
    const hint = isArm ? 'use http://' : 'name the address of the arm with --as, or use --no-proxy';
    const message = `${problem}; ${hint}`;
    this.sayOnce(host, message);
    return message;
  }

  private sayOnce(about: string, message: string): void {
    if (!this.said.has(about)) this.options.onSaid(message);
    this.said.add(about);
  }

  /** The path that a request asks of the arm, or why it is not answered here. */
  private askedOf({ url = '' }: IncomingMessage): { path: string } | { refusal: string } {
    const [, scheme, authority, path] = /^(https?):\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
    if (authority === undefined) {
      return { refusal: 'This is the proxy of armtwin run, not the twin' };
    }
    const port = scheme!.toLowerCase() === 'https' ? HTTPS_PORT : HTTP_PORT;
    const refusal = this.refusalOf(placeOf(authority, port));
    return refusal === null ? { path: path || '/' } : { refusal };
  }

  private pass(incoming: IncomingMessage, response: ServerResponse): void {
    const asked = this.askedOf(incoming);
    if ('refusal' in asked) {
      answer(response, REFUSED, asked.refusal);
      return;
    }
    const { path } = asked;
    const { token } = this.options;
    const isShort = Number(incoming.headers['content-length']) <= LOGIN_MAX_BYTES;
    if (token !== null && incoming.method === 'POST' && path === LOGIN && isShort) {
      this.login(incoming, response, token);
    } else {
      const onward = this.onward({ incoming, response, path }, forwarded(incoming));
      incoming.pipe(onward).on('response', (reply) => relay(reply, response));
    }
  }

  /** Logs the command in: with its token where the twin knows it, else with that of the twin. */
  private login(incoming: IncomingMessage, response: ServerResponse, token: string): void {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.once('end', () => {
      const body = Buffer.concat(pieces);
      const changed = loginWith(token, body);
      const attempt = (content: Buffer) =>
        this.onward({ incoming, response, path: LOGIN }, forwarded(incoming, content.length)).end(
          content,
        );
      attempt(body).on('response', (reply) => {
        if (changed === null || reply.statusCode !== UNKNOWN) {
          relay(reply, response);
          return;
        }
        reply.resume();
        this.options.onReplaced(LOGIN);
        const hint = 'to have it checked, give it to the twin with --token';
        this.sayOnce(LOGIN, `the token of the arm in the command stands for the twin's; ${hint}`);
        attempt(changed).on('response', (accepted) => relay(accepted, response));
      });
    });
  }

  /** A request to the twin; where it fails, the command is told. */
  private onward({ incoming, response, path }: Asked, headers: string[]): ClientRequest {
    const target = { ...this.twin, agent: this.agent, method: incoming.method ?? 'GET' };
    const onward = request({ ...target, path, headers, setHost: false });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else answer(response, UNREACHABLE, 'The twin does not answer; it may have ended');
    });
    response.once('close', () => onward.destroy());
    return onward;
  }

  /** Opens a stream that is asked of the proxy itself, as curl and Go's client do. */
  private upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const asked = this.askedOf(incoming);
    if ('refusal' in asked) {
      refuseRaw(socket, asked.refusal);
      return;
    }
    this.join(socket, (far) => {
      const { method, rawHeaders } = incoming;
      const lines = rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      far.write(`${method} ${asked.path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
      far.write(head);
    });
  }

  private tunnel({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.refusalOf(placeOf(url, HTTP_PORT));
    if (refusal !== null) {
      refuseRaw(socket, refusal);
      return;
    }
    this.join(socket, (far) => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.write(head);
    });
  }

  /** Connects the command to the twin until one of them ends. */
  private join(socket: Duplex, begin: (far: Duplex) => void): void {
    const far = connect(this.twin, () => {
      begin(far);
      far.pipe(socket).pipe(far);
    });
    this.keep(far);
    far.once('close', () => socket.destroy());
    socket.once('close', () => far.destroy());
  }
}

/** Passes the reply of the twin to the command. */
function relay(reply: IncomingMessage, response: ServerResponse): void {
  response.writeHead(reply.statusCode!, reply.statusMessage, forwarded(reply));
  reply.pipe(response);
}

function refuseRaw(socket: Duplex, refusal: string): void {
  const body = `${refusal}\n`;
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  socket.end(`HTTP/1.1 ${REFUSED} Forbidden\r\nConnection: close\r\n${length}\r\n\r\n${body}`);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
