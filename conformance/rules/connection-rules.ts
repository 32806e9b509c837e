/**
 * Rules for TCP connections: malformed requests, slow bodies, idle connections and missing pongs.
 * The spec does not define these timeouts; limits.ts does.
 */

import { limits } from '../../contract/limits.ts';
import { routeOf } from '../../contract/routes.ts';
import { checkRefusal, INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import {
  drip,
  LATE_S,
  replyOf,
  requestHead,
  requestHeadWithBody,
  waitForClose,
  waitForReply,
  waitUntil,
} from '../steps/raw-tcp-steps.ts';

const needs = { sim: true, rawTcp: true } as const;
const LOCK_PATH = routeOf('getLock').path;
const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

const FAST_RULES: readonly Rule[] = [
  {
    id: 'connection/malformed-request',
    requirements: ['A159', 'A160'],
    routes: ['getVersions'],
    statement: 'Malformed requests get one reply in the error format; then the connection closes.',
    needs,
    async check(context) {
      const texts = [
        'BREW /pot HTCPCP/1.0\r\n\r\n',
        '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
        'GET /api/versions HTTP/1.1\r\nHost: a\r\nno header\r\n\r\n',
      ];
      for (const text of texts) {
        const connection = context.dial(text);
        await waitForClose(context, connection);
        checkRefusal(replyOf(connection, context), INVALID);
      }
    },
  },
  {
    id: 'connection/one-host',
    requirements: ['A159', 'A160'],
    routes: ['getVersions'],
    statement: 'An HTTP/1.1 request must have exactly one Host header.',
    needs,
    async check(context) {
      const hosts = ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\n'];
      const statuses: number[] = [];
      for (const host of hosts) {
        const connection = context.dial(
          `GET /api/versions HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
        );
        await waitForClose(context, connection);
        const reply = replyOf(connection, context);
        if (reply.status !== 200) checkRefusal(reply, INVALID);
        statuses.push(reply.status);
      }
      context.expect.equal(statuses, [400, 400, 200], 'statuses with 0, 2 and 1 hosts');
      const old = context.dial('GET /api/versions HTTP/1.0\r\n\r\n');
      await waitForClose(context, old);
      context.expect.equal(replyOf(old, context).status, 200, 'status of an older request');
    },
  },
  {
    id: 'connection/answered-once',
    requirements: ['A159'],
    routes: ['run'],
    statement: 'Invalid data after a reply gets no second reply.',
    needs,
    async check(context) {
      const lines = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const connection = context.dial(requestHead('POST /api/v1/controls/run', lines));
      await waitForReply(context, connection);
      connection.send('ZZ\r\n');
      await waitForClose(context, connection, limits.connection_idle_s / 2);
      checkRefusal(replyOf(connection, context), { status: 401, error_code: 5 });
    },
  },
  {
    id: 'stream/refusals',
    requirements: ['A151', 'A152', 'A159'],
    routes: ['openStream', 'openSimStream'],
    statement: 'A refused stream gets a reply in the error format, like a call.',
    needs,
    async check(context) {
      const { session } = await context.as('user');
      const stream = routeOf('openStream').path;
      const offer = `Sec-WebSocket-Protocol: SessionToken_${session}`;
      const refused: readonly (readonly [string, readonly string[], number])[] = [
        ['/api/v1/no-such-stream', [`${offer}, object`], 404],
        [stream, [`${offer}, object`, 'Origin: https://elsewhere.test'], 403],
        [stream, [`${offer}, object`, 'Origin: no origin'], 403],
        [stream, [], 401],
        [stream, ['Sec-WebSocket-Protocol: object'], 401],
        [stream, [offer], 401],
        [stream, [`${offer}0, object`], 401],
        [routeOf('openSimStream').path, [`${offer}, object`], 403],
      ];
      for (const [path, lines, status] of refused) {
        const connection = context.dial(requestHead(`GET ${path}`, [...UPGRADE, ...lines]));
        await waitForClose(context, connection);
        checkRefusal(replyOf(connection, context), { status });
      }
      const connection = context.dial(
        requestHead(`GET ${stream}?now`, [...UPGRADE, `${offer}, object`, 'Origin: http://arm']),
      );
      const holds = () => connection.received().includes('\r\n\r\n');
      await waitUntil(context, 'a stream for a page of the service', { holds });
      const reply = connection.received();
      context.expect.ok(reply.startsWith('HTTP/1.1 101 '), `${reply} opens the stream`);
      context.expect.ok(/^sec-websocket-protocol: object\r$/im.test(reply), 'the protocol');
      context.expect.ok(!reply.includes(session), 'the session is not echoed');
    },
  },
];

/** Longer than the slowest timeout below (s). */
const BODY_S = limits.body_default_s + 2;

const TIMEOUT_RULES: readonly Rule[] = [
  {
    id: 'connection/slow-bodies',
    requirements: ['A159'],
    routes: ['createSession', 'calcToolpath', 'run'],
    statement: 'A slow body times out: later if it may be long, early if it is not read.',
    needs: { ...needs, wallTime_s: BODY_S + LATE_S },
    async check(context) {
      const { expect } = context;
      const { session } = await context.as('user');
      const usual = context.dial(requestHeadWithBody('POST /api/v1/auth', 1000, null));
      const long = context.dial(
        requestHeadWithBody('PUT /api/v1/toolpath/calc', BODY_S + 2, session),
      );
      const unread = context.dial(requestHeadWithBody('POST /api/v1/controls/run', 1000, null));
      const dripped = [usual, long, unread].map((connection) =>
        drip(context, connection, { piece: ' ', count: BODY_S }),
      );
      await context.wait(limits.unread_body_s - 1.5);
      expect.ok(unread.isOpen(), 'a body may continue after an early reply');
      await waitForClose(context, unread, 1.5 + LATE_S);
      checkRefusal(replyOf(unread, context), { status: 401, error_code: 5 });
      expect.equal(usual.received(), '', 'reply while the body may still arrive');
      await Promise.all(dripped);
      await waitForClose(context, usual, LATE_S);
      checkRefusal(replyOf(usual, context), { status: 503, error_code: 1 });
      expect.equal(long.received(), '', 'reply while the long body arrives');
      long.send('{}');
      await waitForReply(context, long);
      checkRefusal(replyOf(long, context), INVALID);
    },
  },
  {
    id: 'connection/long-calls',
    requirements: ['A159'],
    routes: ['addFault', 'goTo'],
    statement: 'A call that exceeds its time limit is refused and has no effect.',
    needs: {
      ...needs,
      admin: true,
      world: true,
      motion: true,
      wallTime_s: limits.call_default_s + 2 * LATE_S,
    },
    async check(context) {
      const admin = await context.as('admin');
      await admin.does('takeLock');
      const delay_s = limits.call_default_s + 1;
      await admin.does('addFault', { kind: 'slow_planner', delay_s, times: 1 });
      const { here, there } = await context.poseNearby(0.1);
      const body = { mode: 'automatic', joints: there };
      await admin.refused('goTo', { body }, { status: 503, error_code: 1 });
      await context.wait(2);
      const { control, 'servos.telemetry.position': at } = await context.snapshot();
      context.expect.equal(control.state, 'ready', 'state after the plan is done');
      context.expect.close(at, here, 1e-3);
    },
  },
  {
    id: 'connection/idle',
    requirements: [],
    routes: ['addFault', 'getLock'],
    statement: 'Idle connections are closed; connections with a pending call are not.',
    needs: { ...needs, admin: true, wallTime_s: limits.headers_s + LATE_S },
    async check(context) {
      const { expect } = context;
      const admin = await context.as('admin');
      const delay_s = limits.connection_idle_s + 1;
      const fault = { kind: 'reply', path: LOCK_PATH, effect: 'delay', delay_s, times: 1 } as const;
      await admin.does('addFault', fault);
      const silent = context.dial('');
      const send = (request: string) => {
        return context.dial(requestHead(request, [`Authorization: Bearer ${admin.session}`]));
      };
      const done = send('GET /api/versions');
      const atWork = send(`GET ${LOCK_PATH}`);
      const endless = context.dial('GET /api/versions HTTP/1.1\r\nHost: arm\r\n');
      const dripped = drip(context, endless, {
        piece: 'X-More: 1\r\n',
        count: limits.headers_s + LATE_S,
      });
      await context.wait(limits.connection_idle_s / 2);
      expect.ok(silent.isOpen(), 'a connection may wait for its request');
      await waitForClose(context, silent, limits.connection_idle_s);
      expect.ok(done.isOpen(), 'a connection waits for a further request');
      expect.equal(replyOf(done, context).status, 200, 'status of the completed call');
      await waitForClose(context, done, limits.keep_alive_s);
      await waitForReply(context, atWork);
      expect.equal(replyOf(atWork, context).status, 200, 'status of the slow call');
      await dripped;
      await waitForClose(context, endless);
      checkRefusal(replyOf(endless, context), INVALID);
    },
  },
  {
    id: 'stream/pings',
    requirements: [],
    routes: ['openStream'],
    statement: 'The stream sends pings and disconnects only clients that do not answer them.',
    needs: {
      ...needs,
      admin: true,
      wallTime_s: limits.stream_ping_s * (limits.stream_missed_pings + 1) + 1,
    },
    async check(context) {
      const admin = await context.as('admin');
      const [responsive, silent] = [await context.listen(admin), await context.listen(admin)];
      silent.pauseReading(true);
      await context.wait(limits.stream_ping_s * (limits.stream_missed_pings + 1) + 1);
      silent.pauseReading(false);
      await context.until('the end of the silent stream', async () => !silent.isOpen());
      await admin.does('changeConfig', { kind: 'time', message: 'still there' });
      await responsive.received('config_change', ({ message }) => message === 'still there');
      context.expect.ok(responsive.isOpen(), 'a responsive client stays connected');
    },
  },
];

export const CONNECTION_RULES: readonly Rule[] = [...FAST_RULES, ...TIMEOUT_RULES];
