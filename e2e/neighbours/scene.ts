/**
 * A twin with one plain user who takes all they can get, another who makes the same calls, a user
 * who has the lock and moves the arm, and an admin with a password.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { startTwinProcess, TOKEN, type TwinProcess } from '../robustness/twin-process.ts';

export interface Reply {
  /** 0: the connection closed without a reply. */
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export interface Caller {
  readonly id: number;
  readonly session: string;
  readonly agent: Agent;
}

/** A twin and its users, as far as calls need them. */
export interface Users {
  readonly twin: Pick<TwinProcess, 'port'>;
  readonly admin: Caller;
  readonly attacker: Caller;
  readonly bystander: Caller;
  readonly holder: Caller;
}

export interface Scene extends Users {
  readonly twin: TwinProcess;
}

export const PASSWORD = 'long enough for anyone';
export const ADMIN_EMAIL = 'root@example.org';
export const BYSTANDER_EMAIL = 'bob@example.org';
/** Connections that a client of these checks opens at most. */
const SOCKETS = 512;
const TOOLPATH = JSON.parse(readFileSync('fixtures/toolpaths/pick-and-place.json', 'utf8'));

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a call, such as `GET /readyz`, as a user or as nobody. Never rejects. */
export function send(
  { port }: Pick<TwinProcess, 'port'>,
  as: Pick<Caller, 'session' | 'agent'> | null,
  call: string,
  { body, headers = {} }: Sent = {},
): Promise<Reply> {
  const [method, path] = call.split(' ');
  const text = body === undefined ? undefined : JSON.stringify(body);
  const began_ms = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, reply = '') =>
      resolve({ status, text: reply, ms: performance.now() - began_ms });
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, method, path },
        agent: as?.agent ?? false,
        headers: {
          ...(as && { Authorization: `Bearer ${as.session}` }),
          ...(text !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': String(Buffer.byteLength(text)),
          }),
          ...headers,
        },
      },
      (response) => {
        let reply = '';
        response.on('data', (chunk) => {
          reply += chunk;
        });
        response.on('end', () => end(response.statusCode ?? 0, reply));
        response.on('error', () => end(0));
      },
    );
    sent.on('error', () => end(0));
    sent.end(text);
  });
}

/** The object in a reply that must have succeeded. */
export function made<Value>(reply: Reply): Value {
  if (!isOk(reply)) throw new Error(`${reply.status} ${reply.text.slice(0, 300)}`);
  return JSON.parse(reply.text) as Value;
}

async function callerOf(twin: TwinProcess, id: number, token: string): Promise<Caller> {
  const reply = await send(twin, null, 'POST /api/v1/auth', { body: { token } });
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  return { id, session: made<{ token: string }>(reply).token, agent };
}

async function userOf(twin: TwinProcess, admin: Caller, email: string): Promise<Caller> {
  const body = { email, password: PASSWORD };
  const { user } = made<{ user: { id: number } }>(
    await send(twin, admin, 'POST /api/v1/users', { body }),
  );
  const path = `POST /api/v1/users/${user.id}/tokens`;
  const { token } = made<{ token: string }>(
    await send(twin, admin, path, { body: { name: 'it' } }),
  );
  return callerOf(twin, user.id, token);
}

/** Starts a twin in memory with the users; the holder has the lock. */
export async function openScene(
  flags: readonly string[] = [],
  preload: string | null = null,
): Promise<Scene> {
  const password = ['--admin-email', ADMIN_EMAIL, '--admin-password', PASSWORD];
  const memory = flags.includes('--data') ? [] : ['--data', ':memory:'];
  const twin = await startTwinProcess([...memory, ...password, ...flags], preload);
  const admin = await callerOf(twin, 1, TOKEN);
  const scene = {
    twin,
    admin,
    attacker: await userOf(twin, admin, 'eve@example.org'),
    bystander: await userOf(twin, admin, BYSTANDER_EMAIL),
    holder: await userOf(twin, admin, 'ada@example.org'),
  };
  made(await send(twin, scene.holder, 'POST /api/v1/controls/lock'));
  return scene;
}

/** Signs in by password. */
export function logIn(
  twin: Pick<TwinProcess, 'port'>,
  email: string,
  password: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return send(twin, null, 'POST /api/v1/auth/login', { body: { email, password }, headers });
}

let seed = 0;

/** A toolpath of the fixture that is unlike all others; the more repeats, the longer it takes. */
export function newToolpath(repeats: number): {
  readonly waypoints: readonly { readonly joints: readonly number[] }[];
} {
  const [home, ...rest] = TOOLPATH.timeline;
  const timeline = [home, ...Array.from({ length: repeats }, () => rest).flat()];
  const metadata = { ...TOOLPATH.metadata, default_max_speed: 0.2 + ++seed / 1e6 };
  return { ...TOOLPATH, metadata, timeline };
}

/** Two poses between which the arm moves in less than a second. */
const POSES = [
  [0, 0.5, -1.7, 0, -1.2, 0],
  [0.3, 0.5, -1.7, 0, -1.2, 0],
];

/** The holder of the lock loads a toolpath and moves the arm; the reply of what fails, or the last. */
export async function moveArm({ twin, holder }: Scene, count: number): Promise<Reply> {
  const began_ms = performance.now();
  const used = await send(twin, holder, 'POST /api/v1/toolpath/use', {
    body: { name: 'a', toolpath: newToolpath(1) },
  });
  if (!isOk(used)) return used;
  const joints = POSES[count % POSES.length];
  const body = { joints, mode: 'automatic' };
  const moved = await send(twin, holder, 'POST /api/v1/controls/go_to', { body });
  const ms = performance.now() - began_ms;
  await untilReady({ twin, holder });
  return { ...moved, ms };
}

async function untilReady({ twin, holder }: Pick<Scene, 'twin' | 'holder'>): Promise<void> {
  for (let looks = 0; looks < 200; looks++) {
    const reply = await send(twin, holder, 'GET /api/v1/data/snapshot');
    if (isOk(reply) && JSON.parse(reply.text).snapshot.control.state === 'ready') return;
    await sleep(50);
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const isOk = ({ status }: Reply) => status >= 200 && status < 300;

/** Such as `3 × 200, 2 × 429`. */
export function countsOf(replies: readonly Reply[]): string {
  const found = new Map<number, number>();
  for (const { status } of replies) found.set(status, (found.get(status) ?? 0) + 1);
  return (
    [...found].map(([status, count]) => `${count} × ${status || 'closed'}`).join(', ') || 'none'
  );
}

/** The middle one of some times (ms). */
export function medianOf(replies: readonly Reply[]): number {
  const times = replies.map(({ ms }) => ms).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}
