/** Test fixture: a twin with an admin and the users Ada and Bob, each with a session. */

import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect } from 'vitest';
import { WebSocket } from 'ws';
import { connect, type StreamSocketClass } from '../../../contract/client.ts';
import { detailsSchemaOf, errorNamed } from '../../../contract/errors.ts';
import type { RobotEvent } from '../../../contract/types.generated.ts';
import { validate } from '../../../contract/validator.ts';
import { createTwin, type Twin, type TwinOptions } from '../../index.ts';

export { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';

export interface TestUser {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  session: string;
}

export interface RequestParts {
  /** Null sends no Authorization header. */
  readonly as?: TestUser | string | null;
  readonly headers?: { readonly [name: string]: string };
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Raw bytes in place of `body`. */
  readonly raw?: string | Uint8Array;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
  /** The parsed text; undefined if it is not JSON. */
  readonly body: unknown;
}

export interface ApiFixture {
  readonly twin: Twin;
  readonly admin: TestUser;
  readonly ada: TestUser;
  readonly bob: TestUser;
  send(method: string, path: string, sent?: RequestParts): Promise<HttpReply>;
  /** Opens the event stream of a user, at another address if given; `received` grows. */
  listen(user: TestUser, url?: string): Promise<StreamListener>;
  close(): Promise<void>;
}

export interface StreamListener {
  readonly received: RobotEvent[];
  /** Close code, once closed. */
  readonly closed: () => number | null;
  close(): void;
}

export const PASSWORD = 'long enough for anyone';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headersOf({ as, body, headers }: RequestParts): Record<string, string> {
  const session = typeof as === 'string' ? as : as?.session;
  return {
    ...(session === undefined ? {} : { Authorization: `Bearer ${session}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
}

/** Closes idle connections long before the server does. */
const agent = new Agent({ keepAlive: true, timeout: 1000 });

/**
 * Sends a request with Node's client, which allows any header and body. The call is method and
 * path, e.g. `GET /api/versions`.
 */
export function send(url: string, call: string, sent: RequestParts = {}): Promise<HttpReply> {
  const [method = '', path = ''] = call.split(' ');
  const { host } = new URL(url);
  const [hostname, port] = host.split(':');
  return new Promise((resolve, reject) => {
    const content = sent.raw ?? (sent.body === undefined ? null : JSON.stringify(sent.body));
    const length = content === null ? {} : { 'Content-Length': String(Buffer.byteLength(content)) };
    const request = httpRequest(
      { agent, hostname, port, method, path, headers: { ...length, ...headersOf(sent) } },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode, headers } = reply;
          resolve({ status: statusCode ?? 0, headers, text, body: parsed(text) });
        });
      },
    );
    request.on('error', reject);
    if (content !== null) request.write(content);
    request.end();
  });
}

async function openListener(url: string, user: TestUser): Promise<StreamListener> {
  const protocols = [`SessionToken_${user.session}`, 'object'];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/data/stream`, protocols);
  const received: RobotEvent[] = [];
  let code: number | null = null;
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as RobotEvent));
  socket.on('close', (closed) => {
    code = closed;
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { received, closed: () => code, close: () => socket.close() };
}

/** Starts a twin with three users; all have logged in. */
export async function startApiFixture(options: TwinOptions = {}): Promise<ApiFixture> {
  const twin = await createTwin(options);
  const { url } = twin;
  const arm = connect({
    baseUrl: url,
    token: twin.token,
    WebSocket: WebSocket as StreamSocketClass,
  });
  const invite = async (email: string): Promise<TestUser> => {
    const { user } = await arm.createUser({ email, password: PASSWORD });
    const logIn = { email, password: PASSWORD };
    const own = connect({ baseUrl: url, logIn });
    const { token } = await own.createToken({ user_id: user.id }, { name: 'test' });
    const session = await connect({ baseUrl: url, token }).session();
    return { id: user.id, email, token, session };
  };
  const ada = await invite('ada@example.org');
  const bob = await invite('bob@example.org');
  const { users } = await arm.listUsers();
  const email = users[0]!.email;
  const admin = { id: users[0]!.id, email, token: twin.token, session: await arm.session() };
  return {
    twin,
    admin,
    ada,
    bob,
    send: (method, path, sent) => send(url, `${method} ${path}`, sent),
    listen: (user, address = url) => openListener(address, user),
    close: () => twin.close(),
  };
}

/** Checks the error format; returns the error. */
export function expectError(got: HttpReply): {
  error_code: number;
  title: string;
  details: unknown;
} {
  const verdict = validate('ErrorBody', got.body, { dialect: 'documented' });
  if (!verdict.ok) expect.fail(`${got.status} without an error body: ${got.text.slice(0, 300)}`);
  expect(got.headers['content-type']).toMatch(/^application\/json/);
  const { error } = verdict.value.value;
  const name = errorNamed(got.status, error);
  if (!name) expect.fail(`${got.status} is no row of the error table: ${got.text.slice(0, 300)}`);
  const details = validate(detailsSchemaOf(name), error.details, { dialect: 'documented' });
  expect(details, got.text.slice(0, 300)).toMatchObject({ ok: true });
  return error;
}

/** As it is at start, also in a test that fakes the timers. */
const { setTimeout } = globalThis;

/** Polls until a condition is true, at most `limit_ms`; returns whether it is. */
export async function eventually(probe: () => boolean, limit_ms = 2000): Promise<boolean> {
  for (let waited_ms = 0; waited_ms < limit_ms; waited_ms += 5) {
    if (probe()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return probe();
}

/** A fixture for all tests of a file or a suite: open from before the first to after the last. */
export function sharedApiFixture(): ApiFixture {
  let fixture: ApiFixture | undefined;
  beforeAll(async () => {
    fixture = await startApiFixture();
  });
  afterAll(() => fixture?.close());
  const opened = () => {
    if (!fixture) throw new Error('the fixture is not open yet: read it inside a test or hook');
    return fixture;
  };
  return {
    get twin() {
      return opened().twin;
    },
    get admin() {
      return opened().admin;
    },
    get ada() {
      return opened().ada;
    },
    get bob() {
      return opened().bob;
    },
    send: (...given) => opened().send(...given),
    listen: (...given) => opened().listen(...given),
    close: () => opened().close(),
  };
}
