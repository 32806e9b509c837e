/** Which handshakes of a stream are admitted, and what the others are refused with (D6). */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { limits } from '../../../contract/limits.ts';
import { refuse } from '../../../contract/refusal.ts';
import { shareAlone, shares } from '../../../contract/shares.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import { authorizationOf } from '../http/authentication.ts';
import { originAllowed } from '../http/origins.ts';
import { SimulatedWall } from '../http/simulated-network.cases.ts';
import { UNKNOWN_SESSION } from '../sessions/sessions.ts';
import { Hub } from './hub.ts';
import { undrained } from './undrained-socket.cases.ts';
import { createUpgradeHandler, type UpgradeOptions } from './upgrade.ts';

const OPEN = '/open';
const ADMIN = '/admin';

const ownerOf = (role: 'user' | 'admin') => ({
  session: { user_id: 1, token_id: 1, created_s: 0, expires_s: 1800 },
  caller: { user_id: 1, token_id: 1, role },
});
/** Tokens that identify someone. */
const OWNERS = new Map([
  ['user', ownerOf('user')],
  ['admin', ownerOf('admin')],
  ['other', { ...ownerOf('user'), caller: { user_id: 2, token_id: 2, role: 'user' as const } }],
]);

const HANDSHAKE = {
  Host: 'localhost',
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
  'Sec-WebSocket-Protocol': 'SessionToken_user, object',
};

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server with two streams, and the refusals that it gave. */
async function serve(options: Partial<UpgradeOptions> = {}) {
  const refusals: unknown[] = [];
  const changes: boolean[] = [];
  const onSubscribersChange = (hasSubscribers: boolean) => changes.push(hasSubscribers);
  const hubs = [0, 1].map(() => new Hub({ onSubscribersChange, lockHolder: () => null }));
  const handle = createUpgradeHandler({
    endpoints: [
      { path: OPEN, role: 'user', hub: hubs[0]! },
      { path: ADMIN, role: 'admin', hub: hubs[1]! },
    ],
    identify: (secret) => OWNERS.get(secret) ?? null,
    bearerToken(request) {
      const header = authorizationOf(request);
      if (header === undefined) return null;
      const isBearer = header.startsWith('Bearer ');
      return isBearer ? header.slice(7) : refuse('not_authenticated', 'no bearer');
    },
    refuse: (socket, error, details) => {
      refusals.push([error, details]);
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    },
    ready: () => true,
    wall: systemClock,
    originAllowed: (request) => originAllowed(request, []),
    ...options,
  });
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    handle(request, socket, head);
  });
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** Opens a stream; resolves to its protocol, or to the reason of the refusal. */
  const open = async (path: string, protocols: string[], headers = {}) => {
    const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { headers });
    const [opened] = await Promise.race([
      once(client, 'open').then(() => ['open']),
      once(client, 'unexpected-response').then(() => ['refused']),
      once(client, 'error').then(() => ['refused']),
    ]);
    return opened === 'open' ? client : refusals.at(-1);
  };
  /** Sends a handshake; the connection stays half open when the server closes it. */
  const handshake = (headers: Record<string, string | string[]> = {}): Socket => {
    const all: typeof headers = { ...HANDSHAKE, ...headers };
    const lines = Object.entries(all).flatMap(([name, values]) =>
      [values].flat().map((value) => `${name}: ${value}\r\n`),
    );
    const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    client.on('error', () => {});
    client.write(`GET ${OPEN} HTTP/1.1\r\n${lines.join('')}\r\n`);
    return client;
  };
  return { open, handshake, hub: hubs[0]!, changes, refusals };
}

const OBJECT = 'object';
const USER = ['SessionToken_user', OBJECT];
const HINT = 'Sec-WebSocket-Protocol must offer SessionToken_<token> and object';
const unauthenticated = (hint: string | null) => ['not_authenticated', hint];

interface Handshake {
  readonly name: string;
  readonly path?: string;
  readonly protocols?: string[];
  readonly headers?: Record<string, string>;
}

it.each<Handshake & { readonly refusal: unknown }>([
  {
    name: 'an unknown path',
    path: '/other?a=/open',
    refusal: [
      'unknown_path',
      `There is no WebSocket at /other; there is one at ${OPEN} and ${ADMIN}`,
    ],
  },
  {
    name: 'an unknown token',
    protocols: ['SessionToken_unknown', OBJECT],
    refusal: unauthenticated(UNKNOWN_SESSION),
  },
  { name: 'no token', protocols: [OBJECT], refusal: unauthenticated(HINT) },
  {
    name: 'a token without the object protocol',
    protocols: ['SessionToken_user'],
    refusal: unauthenticated(HINT),
  },
  {
    name: 'such a token beside a header',
    protocols: ['SessionToken_user'],
    headers: { Authorization: 'Bearer user' },
    refusal: unauthenticated(HINT),
  },
  {
    name: 'a malformed header',
    protocols: [OBJECT],
    headers: { Authorization: 'Basic user' },
    refusal: unauthenticated('no bearer'),
  },
  { name: 'a user on a stream for admins', path: ADMIN, refusal: ['role_too_low', null] },
  {
    name: 'a page of another origin',
    headers: { Origin: 'http://other.test' },
    refusal: ['role_too_low', 'This origin may not open the stream'],
  },
])('refuses $name', async ({ path = OPEN, protocols = USER, headers, refusal }) => {
  const { open } = await serve();
  expect(await open(path, protocols, headers)).toEqual(refusal);
});

it.each<Handshake>([
  { name: 'a user' },
  {
    name: 'a token after the object protocol',
    path: `${OPEN}?a=1`,
    protocols: [OBJECT, 'SessionToken_user'],
  },
  {
    name: 'an admin on a stream for admins',
    path: ADMIN,
    protocols: ['SessionToken_admin', OBJECT],
  },
  { name: 'an admin on a stream for everyone', protocols: ['SessionToken_admin', OBJECT] },
  { name: 'a path with a slash at its end', path: `${OPEN}/` },
  { name: 'a header', protocols: [OBJECT], headers: { Authorization: 'Bearer user' } },
])('admits $name', async ({ path = OPEN, protocols = USER, headers }) => {
  const { open } = await serve();
  const client = await open(path, protocols, headers);
  expect(client).toMatchObject({ protocol: OBJECT });
  (client as WebSocket).terminate();
});

it.each([
  [[], false],
  [['http://other.test'], true],
  [['*'], true],
  [['http://third.test'], false],
])('with the allowed origins %j, admits a page of another one: %s', async (allowed, isAdmitted) => {
  const { open } = await serve({ originAllowed: (request) => originAllowed(request, allowed) });
  const client = await open(OPEN, USER, { Origin: 'http://other.test' });
  expect(client instanceof WebSocket).toBe(isAdmitted);
  if (client instanceof WebSocket) client.terminate();
});

it('refuses every handshake until it is ready, whatever its path', async () => {
  const { open } = await serve({ ready: () => false });
  expect(await open('/other', [])).toEqual(['not_ready', null]);
});

/** Streams of a user. */
function take(hub: Hub, user_id: number, count: number): void {
  const owner = ownerOf('user');
  const caller = { ...owner.caller, user_id };
  for (let i = 0; i < count; i++) hub.add(undrained({ ...owner, caller }).subscriber);
}

it('refuses a stream beyond the share of a user, and gives it to another', async () => {
  const { open, hub } = await serve();
  const most = shareAlone(shares.streams);
  take(hub, 1, most - 1);
  const last = (await open(OPEN, USER)) as WebSocket;
  expect(last).toBeInstanceOf(WebSocket);
  const text = `${most} streams of a kind are your share now and you use ${most}; others use 0 of ${shares.streams.total}: close one of yours first`;
  expect(await open(OPEN, USER)).toEqual(['too_many_streams', text]);
  const other = (await open(OPEN, ['SessionToken_other', OBJECT])) as WebSocket;
  expect(other).toBeInstanceOf(WebSocket);
  last.terminate();
  other.terminate();
});

it('gives each user a first stream when all are in use, and no second one', async () => {
  const { open, hub } = await serve();
  const { total } = shares.streams;
  for (let user = 10; hub.size < total; user++) take(hub, user, 66);
  const first = (await open(OPEN, USER)) as WebSocket;
  expect(first).toBeInstanceOf(WebSocket);
  const text = `0 streams of a kind are your share now and you use 1; others use ${total} of ${total}: close one of yours first`;
  expect(await open(OPEN, USER)).toEqual(['too_many_streams', text]);
  first.terminate();
});

it('removes a subscriber when its connection closes or breaks a rule', async () => {
  const { open, hub, changes } = await serve();
  const [first, second] = [await open(OPEN, USER), await open(OPEN, USER)] as WebSocket[];
  expect(hub.size).toBe(2);
  first!.close();
  await expect.poll(() => hub.size).toBe(1);
  second!.send(Buffer.alloc(limits.stream_message_bytes + 1));
  const [code] = await once(second!, 'close');
  await expect.poll(() => hub.size).toBe(0);
  expect([code, changes]).toEqual([1009, [true, true, true, false]]);
});

it('does not compress what it sends', async () => {
  const { open } = await serve();
  const client = (await open(OPEN, USER)) as WebSocket;
  expect(client.extensions).toBe('');
  client.terminate();
});

it.each([
  ['Sec-WebSocket-Version', '7', 'upgrade_required'],
  ['Sec-WebSocket-Version', '8', 'upgrade_required'],
  ['Sec-WebSocket-Key', 'short', 'malformed_body'],
])('refuses a handshake whose %s is %s as %s', async (name, value, refused) => {
  const { handshake, refusals } = await serve();
  const client = handshake({ [name]: value });
  await expect.poll(() => refusals).toEqual([[refused, expect.stringContaining(name)]]);
  client.destroy();
});

it('takes no token from the parts of two headers', async () => {
  const { handshake, refusals } = await serve();
  const Authorization = ['Bearer us', 'er'];
  const client = handshake({ 'Sec-WebSocket-Protocol': OBJECT, Authorization });
  await expect.poll(() => refusals).toEqual([['not_authenticated', UNKNOWN_SESSION]]);
  client.destroy();
});

it('adds the header lines of the service to an accepted handshake', async () => {
  const { handshake } = await serve({ headerLines: () => ['X-Twin: one', 'X-Arm: two'] });
  const client = handshake();
  let reply = '';
  client.on('data', (chunk) => {
    reply += String(chunk);
  });
  await expect.poll(() => reply).toContain('\r\n\r\n');
  expect(reply).toMatch(/^HTTP\/1\.1 101 /);
  expect(reply.split('\r\n')).toEqual(expect.arrayContaining(['X-Twin: one', 'X-Arm: two']));
  client.destroy();
});

it('drops a client that breaks a rule and keeps its side open', async () => {
  const { handshake, hub } = await serve();
  const client = handshake();
  await expect.poll(() => hub.size).toBe(1);
  const notMasked = [0x81, 1, 0x61];
  client.write(Buffer.from(notMasked));
  await expect.poll(() => hub.size).toBe(0);
  client.destroy();
});

it('answers a handshake when its time has come, and none of a client that has left', async () => {
  const wall = new SimulatedWall();
  const identified: string[] = [];
  const identify = (secret: string) => {
    identified.push(secret);
    return OWNERS.get(secret) ?? null;
  };
  const { handshake, hub } = await serve({ wall, identify });
  const client = handshake();
  await expect.poll(() => wall.next_ms).toBe(limits.stream_handshake_s * 1000);
  wall.advance(limits.stream_handshake_s * 1000 - 1);
  expect([hub.size, identified]).toEqual([0, []]);
  wall.advance(1);
  expect([hub.size, identified]).toEqual([1, ['user']]);
  client.destroy();
  await expect.poll(() => hub.size).toBe(0);
  const other = handshake();
  await expect.poll(() => wall.next_ms).toBe(limits.stream_handshake_s * 1000);
  const [server] = servers;
  other.resetAndDestroy();
  const connections = () => new Promise((done) => server!.getConnections((_, n) => done(n)));
  await expect.poll(connections).toBe(0);
  wall.advance(limits.stream_handshake_s * 1000);
  expect(identified).toEqual(['user']);
});

it('asks and answers nothing for a client that has left before its time', () => {
  const wall = new SimulatedWall();
  const asked: string[] = [];
  const handle = createUpgradeHandler({
    endpoints: [],
    identify: () => null,
    bearerToken: () => '',
    refuse: () => asked.push('refuse'),
    ready: () => asked.push('ready') === 0,
    wall,
    originAllowed: () => true,
  });
  for (const hasLeft of [true, false]) {
    const socket = new PassThrough();
    handle({ url: OPEN } as IncomingMessage, socket, Buffer.alloc(0));
    if (hasLeft) socket.destroy();
    wall.advance(limits.stream_handshake_s * 1000);
    expect(asked).toEqual(hasLeft ? [] : ['ready', 'refuse']);
  }
});
