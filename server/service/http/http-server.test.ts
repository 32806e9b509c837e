/** The server on fake connections: host names, upgrades, admission, idle and late ones. */

import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { shares } from '../../../contract/shares.ts';
import { systemClock, type WallClock } from '../../clock/wall-clock.ts';
import { Connection } from './connection.ts';
import { admitAtMost, Connections } from './connections.ts';
import { exchangeWith } from './exchange.cases.ts';
import { FakeResponse } from './fake-response.cases.ts';
import { acceptUpgrades } from './handshakes.ts';
import { HostPolicy } from './host-policy.ts';
import { HttpServer } from './http-server.ts';
import { RequestGate } from './request-gate.ts';

const request = (url: string, hosts: string[] = ['arm'], httpVersion = '1.1') => {
  const rawHeaders = hosts.flatMap((host) => ['Host', host]);
  const headers: { host?: string } = hosts.length > 0 ? { host: hosts[0]! } : {};
  return { url, rawHeaders, httpVersion, headers } as object as IncomingMessage;
};

it('before the joints are ready only the process answers that it is alive', () => {
  const gate = new RequestGate();
  const answer = (url: string) => {
    const response = new FakeResponse();
    gate.listener(exchangeWith(request(url), response));
    return [response.statusCode, JSON.parse(String(response.bytes))];
  };
  expect(answer('/livez')).toEqual([200, { alive: true }]);
  const details = { reasons: ['The joints are starting'] };
  expect(answer('/api/versions')).toMatchObject([503, { error: { details } }]);
});

describe('a target', () => {
  const policy = new HostPolicy([]);
  it.each([
    ['http://arm/b?c', '/b?c'],
    ['HTTPS://arm:8', '/'],
    ['http://arm?c=/', '/?c=/'],
    ['/a/', '/a/'],
    ['*', '*'],
  ])('%s is the path %s', (url, path) => {
    const given = request(url);
    expect(policy.refusalOf(given)).toBe(null);
    expect(given.url).toBe(path);
  });

  it.each(['http:///a', 'ftp://arm/', 'xhttp://arm/', 'arm/a', ''])('is not %j', (url) => {
    expect(policy.refusalOf(request(url))).toMatchObject({ refused: 'malformed_body' });
  });

  it('has one Host, which HTTP/1.0 may leave out', () => {
    expect(policy.refusalOf(request('/', [], '1.0'))).toBe(null);
    for (const hosts of [[], ['arm', 'arm'], ['a b']]) {
      expect(policy.refusalOf(request('/', hosts))).toMatchObject({ refused: 'malformed_body' });
    }
    expect(policy.refusalOf(request('/', ['example.com']))).toMatchObject({
      refused: 'unknown_host',
    });
  });
});

describe('a host', () => {
  const judged = (host: string) => {
    const policy = new HostPolicy(['Twin.example.org', '*.fleet.example.org']);
    return policy.refusalOf(request('/', [host]))?.refused ?? 'served';
  };

  it.each([
    '[::ffff:127.0.0.1]',
    '[::ffff:127.0.0.1]:8080',
    '[::1]:',
    'arm.local.',
    'arm.local.:80',
    'twin.example.org.:80',
    'a.fleet.example.org:80',
    'a.b.fleet.example.org',
  ])('%s is one of the service', (host) => {
    expect(judged(host)).toBe('served');
  });

  it.each(['fleet.example.org', 'afleet.example.org', 'a.twin.example.org', 'a.local.com'])(
    '%s is of another service',
    (host) => {
      expect(judged(host)).toBe('unknown_host');
    },
  );
});

/** A connection that notes whether it is closed, and what it is sent. */
class FakeSocket extends EventEmitter {
  readonly sent: string[] = [];
  destroyed = false;
  writable = true;
  isPaused = false;
  readonly remoteAddress: string | undefined;

  constructor(remoteAddress?: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  get asSocket(): Socket {
    return this as object as Socket;
  }

  destroy() {
    this.destroyed = true;
    this.emit('close');
  }

  pause() {
    this.isPaused = true;
  }

  end(text: string) {
    this.sent.push(text);
  }
}

const connectionOf = (socket: FakeSocket) => Connection.of(socket.asSocket);

describe('connections', () => {
  const COUNT = 16;
  /** How many of them one address may have. */
  const SHARE = Math.floor((COUNT * limits.connections_per_address) / limits.connections);
  afterEach(() => admitAtMost(limits.connections));

  /** Opens connections from these addresses one after another. */
  function opened(count: number, addresses: readonly (string | undefined)[], kept: number[] = []) {
    admitAtMost(count);
    const connections = new Connections();
    const sockets = addresses.map((address, i) => {
      const socket = new FakeSocket(address);
      const connection = new Connection(socket.asSocket, null);
      connection.isKept = kept.includes(i);
      connections.admit(connection);
      return socket;
    });
    const closed = sockets.flatMap(({ destroyed }, i) => (destroyed ? [i] : []));
    return { closed, size: connections.count };
  }

  it('of one address have a share: the oldest stranger of it makes way', () => {
    const all = ['b', ...Array.from({ length: SHARE }, () => 'a')];
    const size = SHARE + 1;
    expect(size).toBeLessThan(COUNT);
    expect(opened(COUNT, all)).toEqual({ closed: [], size });
    expect(opened(COUNT, [...all, 'a'])).toEqual({ closed: [1], size });
    expect(opened(COUNT, [...all, 'a', 'a'])).toEqual({ closed: [1, 2], size });
    // Those with a session are their user's, not the address's.
    expect(opened(COUNT, [...all, 'a'], [1])).toEqual({ closed: [], size: size + 1 });
    expect(opened(COUNT, [...all, 'a', 'a'], [1])).toEqual({ closed: [2], size: size + 1 });
    expect(opened(COUNT, [undefined, 'a'])).toEqual({ closed: [0], size: 1 });
  });

  it.each([
    [['c', 'a', 'a', 'b', 'b', 'b'], [], 3],
    [['c', 'a', 'a', 'a', 'b', 'b', 'b'], [], 1],
    [['c', 'b', 'b', 'b', 'a', 'a'], [], 1],
    [['c', 'a', 'a', 'b', 'b', 'b'], [3, 4, 5], 1],
    [['c'], [...Array(COUNT).keys()], COUNT],
  ])('are limited in all: of %j with %j kept, %d makes way', (first, kept, closing) => {
    const others = Array.from({ length: COUNT - first.length }, (_, i) => `x${i}`);
    const full = opened(COUNT, [...first, ...others, 'new'], kept);
    expect(full).toEqual({ closed: [closing], size: COUNT });
  });

  /** Connections that open and close one after another, with those that are closed. */
  function opening() {
    admitAtMost(COUNT);
    const connections = new Connections();
    const open = (count: number, address: string) =>
      Array.from({ length: count }, () => {
        const socket = new FakeSocket(address);
        connections.admit(new Connection(socket.asSocket, null));
        return socket;
      });
    return { connections, open };
  }

  it('with a session have a share for each user, beside which new ones are taken', () => {
    admitAtMost(COUNT);
    const connections = new Connections();
    const server = { banner: null, linkFaults: null, connections };
    const taken = (owner: number) => {
      const socket = new FakeSocket('a');
      const connection = new Connection(socket.asSocket, server);
      connections.admit(connection);
      return [connection.claim({ owner }), socket] as const;
    };
    const ofAda = Array.from({ length: COUNT }, () => taken(1));
    const refused = ofAda.findIndex(([refusal]) => refusal !== null);
    const most = Math.floor(COUNT * (shares.connections.total / limits.connections));
    expect(refused).toBe(Math.floor(most * shares.connections.part));
    expect(ofAda[refused]![0]).toMatchObject({ refused: 'share_used_up' });
    // A refused one is a stranger's, and makes way; Bob is served from the same address.
    expect(taken(2)[0]).toBeNull();
    const [, first] = ofAda[0]!;
    first.destroy();
    expect(connections.share.usedBy(1)).toBe(refused - 1);
  });

  it('that close are counted no more, neither of all nor of their address', () => {
    const { connections, open } = opening();
    const [first, ...others] = open(SHARE, 'a');
    expect(connections.count).toBe(SHARE);
    first!.destroy();
    expect(connections.count).toBe(SHARE - 1);
    const [next] = open(1, 'a');
    expect(others.filter(({ destroyed }) => destroyed)).toEqual([]);
    // The share of the address still counts the others.
    open(1, 'a');
    expect([...others, next!].map(({ destroyed }) => destroyed).indexOf(true)).toBe(0);
    expect(connections.count).toBe(SHARE);
  });

  it('make way at the address that came first, of those with as many', () => {
    const { open } = opening();
    for (const socket of open(2, 'a')) socket.destroy();
    const [b, a] = [open(2, 'b'), open(2, 'a')];
    for (let i = 4; i < COUNT; i++) open(1, `x${i}`);
    open(1, 'new');
    expect([...b, ...a].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
  });

  it('are none of a new server, which has no address until it listens', () => {
    const server = new HttpServer(new RequestGate());
    expect([server.connections.count, server.address]).toEqual([0, '']);
  });

  it('have some time to finish when the server closes, and are then closed', async () => {
    const server = new HttpServer(new RequestGate());
    const sockets = [new FakeSocket('a'), new FakeSocket('a')];
    for (const socket of sockets) server.connections.admit(new Connection(socket.asSocket, server));
    const { wall, timers } = heldClock();
    let left = sockets.length;
    for (const socket of sockets) socket.once('close', () => (left -= 1));
    Object.assign(server.node, {
      close: (callback: () => void) => sockets.at(-1)!.once('close', callback),
      closeIdleConnections: () => {},
    });
    const closed = server.close(wall);
    expect([left, timers.length]).toEqual([2, 1]);
    timers[0]!();
    expect(left).toBe(0);
    await closed;
    expect(timers).toEqual([]);
  });

  it('are at most those of the limits', () => {
    const same = Array.from({ length: limits.connections_per_address + 1 }, () => 'a');
    const { size } = opened(10 * limits.connections, same);
    expect(size).toBe(limits.connections_per_address);
  });
});

/** A clock whose timers and turns the test calls. */
function heldClock() {
  const timers: (() => void)[] = [];
  const turns: (() => void)[] = [];
  const wall = {
    ...systemClock,
    afterUnreferenced(_delay_ms: number, callback: () => void) {
      timers.push(callback);
      return () => void timers.splice(timers.indexOf(callback), 1);
    },
    soon(callback: () => void) {
      turns.push(callback);
      return () => {};
    },
  } satisfies WallClock;
  return { wall, timers, turn: () => turns.shift()!() };
}

/** Requests on fake connections. */
function idleConnections() {
  const clock = heldClock();
  const ask = (socket: FakeSocket, complete = true) => {
    const given = Object.assign(new PassThrough(), { socket, complete });
    const response = Object.assign(new EventEmitter(), {
      ...{ writableFinished: false, writableEnded: false, destroyed: false, headersSent: false },
    });
    const [received, answered] = [given, response] as object[];
    const exchange = [received, answered] as Parameters<Connection['begin']>;
    connectionOf(socket).begin(...exchange);
    return { given, response };
  };
  return {
    ...clock,
    ask,
    idle: (socket: FakeSocket) => connectionOf(socket).closeIdle(clock.wall),
  };
}

describe('an idle connection', () => {
  it('is closed after two turns, unless a call is under way', () => {
    const { ask, idle, turn } = idleConnections();
    const closes = (socket: FakeSocket) => {
      idle(socket);
      turn();
      expect(socket.destroyed).toBe(false);
      turn();
      return socket.destroyed;
    };
    expect(closes(new FakeSocket())).toBe(true);
    const busy = new FakeSocket();
    const { response } = ask(busy);
    expect(closes(busy)).toBe(false);
    response.writableEnded = true;
    expect(closes(busy)).toBe(true);
  });

  it('goes on where a request or its rest has arrived meanwhile', () => {
    const { ask, idle, turn } = idleConnections();
    for (const arrives of ['request', 'rest']) {
      const socket = new FakeSocket();
      const { given, response } = ask(socket, false);
      response.writableEnded = true;
      idle(socket);
      if (arrives === 'rest') given.complete = true;
      else ask(socket, false).response.writableEnded = true;
      turn();
      turn();
      expect([arrives, socket.destroyed]).toEqual([arrives, false]);
    }
  });

  it('has arrived nothing where only earlier requests were', () => {
    const { ask, wall, turn } = idleConnections();
    const socket = new FakeSocket();
    ask(socket, true);
    ask(socket, false);
    let late = 0;
    connectionOf(socket).unlessArrived(wall, () => (late += 1));
    turn();
    turn();
    expect(late).toBe(1);
  });
});

it('an answer below HTTP waits for the earlier ones, and ends with their connection', () => {
  const { ask } = idleConnections();
  const answered: string[] = [];
  const socket = new FakeSocket();
  connectionOf(socket).afterEarlierReplies(() => answered.push('at once'));
  ask(socket).response.writableFinished = true;
  const last = ask(socket);
  ask(socket, false);
  connectionOf(socket).afterEarlierReplies(() => answered.push('after the last'));
  expect(answered).toEqual(['at once']);
  last.response.emit('close');
  expect(answered).toEqual(['at once', 'after the last']);
  const closed = new FakeSocket();
  const { response } = ask(closed);
  connectionOf(closed).afterEarlierReplies(() => answered.push('never'));
  closed.writable = false;
  response.emit('close');
  expect(answered).toHaveLength(2);
});

it.each(['writableFinished', 'destroyed'])(
  'an answer below HTTP does not wait for one that is %s',
  (flag) => {
    const { ask } = idleConnections();
    const socket = new FakeSocket();
    Object.assign(ask(socket).response, { [flag]: true });
    let count = 0;
    connectionOf(socket).afterEarlierReplies(() => (count += 1));
    expect(count).toBe(1);
  },
);

it('a connection keeps no exchanges that are answered, however many there were', () => {
  const { ask } = idleConnections();
  const socket = new FakeSocket();
  let looks = 0;
  const get = () => {
    looks += 1;
    return true;
  };
  for (let i = 0; i < 100; i++) Object.defineProperty(ask(socket).response, 'destroyed', { get });
  looks = 0;
  connectionOf(socket).afterEarlierReplies(() => {});
  expect(looks).toBe(1);
});

it('a body that still arrives after the reply ends the connection after a time', () => {
  const answered = (complete: boolean) => {
    const { wall, timers } = heldClock();
    const socket = new FakeSocket();
    const given = Object.assign(new PassThrough(), { socket, complete });
    const response = new EventEmitter();
    exchangeWith(given, response).closeUnreadBody(wall);
    response.emit('finish');
    return { timers, socket, given };
  };
  expect(answered(true).timers).toEqual([]);
  const late = answered(false);
  late.timers[0]!();
  expect(late.socket.destroyed).toBe(true);
  const whole = answered(false);
  whole.given.complete = true;
  whole.timers[0]!();
  expect(whole.socket.destroyed).toBe(false);
  const left = answered(false);
  left.given.emit('close');
  expect(left.timers).toEqual([]);
});

it.each([
  ['HPE_INVALID_METHOD', true, /^HTTP\/1.1 400 .*does not begin with a known method/s],
  ['HPE_HEADER_OVERFLOW', true, /^HTTP\/1.1 413 /],
  ['HPE_INVALID_CONSTANT', true, /^HTTP\/1.1 400 .*not a complete HTTP request/s],
  ['ECONNRESET', true, null],
  ['HPE_INVALID_METHOD', false, null],
])('a malformed request (%s, writable: %s) is answered once, or closed', (...given) => {
  const [code, writable, answer] = given;
  const server = new HttpServer(new RequestGate());
  const socket = new FakeSocket('a');
  socket.writable = writable;
  for (let chunk = 0; chunk < 2; chunk++) {
    server.node.emit('clientError', Object.assign(new Error(code), { code }), socket);
  }
  expect(socket.sent).toEqual(answer ? [expect.stringMatching(answer)] : []);
  expect([socket.destroyed, socket.isPaused]).toEqual([answer === null, answer !== null]);
});

it('what follows behind the last request of a connection is not answered, nor closed', () => {
  const server = new HttpServer(new RequestGate());
  const socket = new FakeSocket('a');
  const code = 'HPE_CLOSED_CONNECTION';
  server.node.emit('clientError', Object.assign(new Error(code), { code }), socket);
  expect([socket.sent, socket.destroyed, socket.isPaused]).toEqual([[], false, true]);
});

const ASKED = 'Connection: Upgrade';
it.each([
  ['GET', [ASKED, 'Upgrade: websocket'], 'upgraded'],
  ['GET', [ASKED, 'Upgrade: h2c , WebSocket'], 'upgraded'],
  ['GET', [ASKED, 'Upgrade: h2c'], 'answered'],
  ['GET', ['Upgrade: websocket'], 'answered'],
  ['POST', [ASKED, 'Upgrade: websocket', 'Content-Length: 0'], 'answered'],
  ['GET', [ASKED, 'Upgrade: websocket', 'Content-Length: 2'], 'HTTP/1.1 400 Bad Request'],
] as const)('%s with %j is %s', async (method, lines, expected) => {
  const gate = new RequestGate();
  gate.setHandler(({ response }) => response.end('answered'));
  const server = new HttpServer(gate);
  let isClosedByError = false;
  acceptUpgrades(server, (_request, socket) => {
    socket.write('upgraded');
    socket.emit('error', new Error('the client has left'));
    isClosedByError = socket.destroyed;
    socket.destroy();
  });
  const port = await server.listen(0, '127.0.0.1');
  const received = await new Promise<string>((resolve) => {
    const head = [`${method} / HTTP/1.1`, 'Host: a', 'Connection: close', ...lines];
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  await server.close(systemClock);
  if (expected === 'upgraded') expect(isClosedByError).toBe(true);
  else expect(received).toContain(expected);
});

it('a tunnel is refused with the banner for its client; a broken one is closed', async () => {
  const server = new HttpServer(new RequestGate());
  server.banner = ({ host }) => `for ${host}`;
  let isClosedByError = false;
  server.node.on('connect', (_request, socket) => {
    socket.once('finish', () => {
      socket.emit('error', new Error('the client has left'));
      isClosedByError = socket.destroyed;
    });
  });
  const port = await server.listen(0, '127.0.0.1');
  const received = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: arm\r\n\r\n');
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  await server.close(systemClock);
  expect(received).toMatch(/^HTTP\/1.1 405 .*\r\nX-Armtwin: for arm\r\n/s);
  expect(isClosedByError).toBe(true);
});
