/**
 * A twin with people in it, for tests of the doors: an admin, Ada and Bob, each with a session,
 * and a way to send any request. Test code.
 */
import { Agent, request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { connect, type StreamSocketClass } from '../../contract/client.ts';
import type { RobotEvent } from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import { createTwin, type Twin, type TwinOptions } from '../index.ts';

export { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  session: string;
}

export interface Sent {
  /** Null sends no Authorization. */
  readonly as?: Person | string | null;
  readonly headers?: { readonly [name: string]: string };
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of a body. */
  readonly raw?: string | Uint8Array;
}

export interface Got {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
  /** The parsed text; undefined where it is no JSON. */
  readonly body: unknown;
}

export interface Household {
  readonly twin: Twin;
  readonly admin: Person;
  readonly ada: Person;
  readonly bob: Person;
  send(method: string, path: string, sent?: Sent): Promise<Got>;
  /** The stream of a person, through another door if its address is given; `heard` grows. */
  listen(person: Person, url?: string): Promise<Ear>;
  close(): Promise<void>;
}

export interface Ear {
  readonly heard: RobotEvent[];
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

function headersOf({ as, body, headers }: Sent): Record<string, string> {
  const session = typeof as === 'string' ? as : as?.session;
  return {
    ...(session === undefined ? {} : { Authorization: `Bearer ${session}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
}

/** A connection of its own for each call: the server cuts one that was silent for a while. */
const agent = new Agent({ keepAlive: false });

/**
 * One request by node's own client, which forbids no header and no body. The call is method and
 * path, as `GET /api/versions`.
 */
export function send(url: string, call: string, sent: Sent = {}): Promise<Got> {
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

async function openEar(url: string, person: Person): Promise<Ear> {
  const protocols = [`SessionToken_${person.session}`, 'object'];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/data/stream`, protocols);
  const heard: RobotEvent[] = [];
  let code: number | null = null;
  socket.on('message', (data) => heard.push(JSON.parse(String(data)) as RobotEvent));
  socket.on('close', (closed) => {
    code = closed;
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { heard, closed: () => code, close: () => socket.close() };
}

/** A twin with three people; everybody has logged in. */
export async function openHousehold(options: TwinOptions = {}): Promise<Household> {
  const twin = await createTwin(options);
  const { url } = twin;
  const arm = connect({
    baseUrl: url,
    token: twin.token,
    WebSocket: WebSocket as StreamSocketClass,
  });
  const invite = async (email: string): Promise<Person> => {
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
    listen: (person, door = url) => openEar(door, person),
    close: () => twin.close(),
  };
}

/** Demands the error format, and answers the error. */
export function errorOf(got: Got): { error_code: number; title: string; details: unknown } {
  const verdict = validate('ErrorBody', got.body, { dialect: 'documented' });
  if (!verdict.ok) expect.fail(`${got.status} without an error body: ${got.text.slice(0, 300)}`);
  expect(got.headers['content-type']).toMatch(/^application\/json/);
  return verdict.value.value.error;
}

/** Looks again and again, while sockets are served, until a probe holds; tells whether it did. */
export async function soon(probe: () => boolean, limit_ms = 2000): Promise<boolean> {
  for (let waited_ms = 0; waited_ms < limit_ms; waited_ms += 5) {
    if (probe()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return probe();
}
