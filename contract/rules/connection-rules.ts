/**
 * Rules of connections themselves: what is no request, what never ends, and who says nothing any
 * more. They keep a twin's patience, which the spec leaves open, to what is promised of it.
 */
import { limits } from '../limits.ts';
import { routeOf } from '../routes.ts';
import { checkRefusal } from './actor.ts';
import type { RawReply, Rule, RuleContext, Wire } from './rule.ts';

const needs = { sim: true, ground: true } as const;
/** What a busy machine may add (s). */
const LATE_S = 2.5;
const LOCK_PATH = routeOf('getLock').path;
const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** A request as text, its body still to come; lines as `Name: value`. */
function headOf(request: string, lines: readonly string[]): string {
  return `${[`${request} HTTP/1.1`, 'Host: arm', ...lines].join('\r\n')}\r\n\r\n`;
}

function announced(request: string, body_bytes: number, session: string | null): string {
  const authorization = session === null ? [] : [`Authorization: Bearer ${session}`];
  const lines = ['Content-Type: application/json', `Content-Length: ${body_bytes}`];
  return headOf(request, [...authorization, ...lines]);
}

/** All that came back, as the one reply that it must be. */
function replyOf({ said }: Wire, { expect }: RuleContext): RawReply {
  const text = said();
  const starts = text.split(/^HTTP\/1\.1 /m).length - 1;
  expect.equal(starts, 1, `replies in ${text.slice(0, 500)}`);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  const type = headers.get('content-type') ?? '';
  expect.ok(type.startsWith('application/json'), `${type} is JSON`);
  return { status: Number(first.split(' ')[1]), headers, text: body, body: JSON.parse(body) };
}

interface Awaited {
  readonly holds: () => boolean;
  readonly limit_s?: number;
}

/** Waits in wall time until a probe holds; breaks the rule when it does not within the limit. */
async function soon(
  { wait, expect }: RuleContext,
  what: string,
  { holds, limit_s = LATE_S }: Awaited,
): Promise<void> {
  let passed_s = 0;
  // Short looks at first, then fewer: each may take longer than it says.
  for (let look_s = 0.01; !holds(); look_s = Math.min(0.1, 2 * look_s)) {
    if (passed_s > limit_s) expect.fail(`not within ${limit_s} s: ${what}`);
    await wait(look_s);
    passed_s += look_s;
  }
}

/** Waits for the end of a connection. */
async function ends(context: RuleContext, wire: Wire, limit_s = LATE_S): Promise<void> {
  const holds = () => !wire.isOpen();
  await soon(context, 'the connection is ended', { holds, limit_s });
}

/** Waits for the last brace of a reply. */
async function answers(context: RuleContext, wire: Wire): Promise<void> {
  await soon(context, 'an answer', { holds: () => wire.said().endsWith('}') });
}

/** Sends a piece every second as long as the connection takes them. */
async function drip(
  { wait }: RuleContext,
  wire: Wire,
  { piece, count }: { readonly piece: string; readonly count: number },
): Promise<void> {
  for (let sent = 0; sent < count && wire.isOpen(); sent++) {
    wire.send(piece);
    await wait(1);
  }
}

const swiftRules: readonly Rule[] = [
  {
    id: 'connection/no-request',
    requirements: ['A159', 'A160'],
    routes: ['getVersions'],
    statement: 'What is no request is answered once, in the error format, and cut off.',
    needs,
    async check(context) {
      const texts = [
        'BREW /pot HTCPCP/1.0\r\n\r\n',
        '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
        'GET /api/versions HTTP/1.1\r\nHost: a\r\nno header\r\n\r\n',
      ];
      for (const text of texts) {
        const wire = context.dial(text);
        await ends(context, wire);
        checkRefusal(replyOf(wire, context), { status: 400, error_code: 8 });
      }
    },
  },
  {
    id: 'connection/one-host',
    requirements: ['A159', 'A160'],
    routes: ['getVersions'],
    statement: 'A request names one host, where its version of HTTP knows hosts.',
    needs,
    async check(context) {
      const hosts = ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\n'];
      const statuses: number[] = [];
      for (const host of hosts) {
        const wire = context.dial(`GET /api/versions HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
        await ends(context, wire);
        const reply = replyOf(wire, context);
        if (reply.status !== 200) checkRefusal(reply, { status: 400, error_code: 8 });
        statuses.push(reply.status);
      }
      context.expect.equal(statuses, [400, 400, 200], 'statuses with 0, 2 and 1 hosts');
      const old = context.dial('GET /api/versions HTTP/1.0\r\n\r\n');
      await ends(context, old);
      context.expect.equal(replyOf(old, context).status, 200, 'status of an older request');
    },
  },
  {
    id: 'connection/answered-once',
    requirements: ['A159'],
    routes: ['run'],
    statement: 'Rubbish after an answer gets no second answer, which would pass for another one.',
    needs,
    async check(context) {
      const lines = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const wire = context.dial(headOf('POST /api/v1/controls/run', lines));
      await answers(context, wire);
      wire.send('ZZ\r\n');
      await ends(context, wire, limits.silence_s / 2);
      checkRefusal(replyOf(wire, context), { status: 401, error_code: 5 });
    },
  },
  {
    id: 'stream/refusals',
    requirements: ['A151', 'A152', 'A159'],
    routes: ['openStream', 'openSimStream'],
    statement: 'A stream that is not opened is refused as a call is, in the error format.',
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
        const wire = context.dial(headOf(`GET ${path}`, [...UPGRADE, ...lines]));
        await ends(context, wire);
        checkRefusal(replyOf(wire, context), { status });
      }
      const wire = context.dial(
        headOf(`GET ${stream}?now`, [...UPGRADE, `${offer}, object`, 'Origin: http://arm']),
      );
      const holds = () => wire.said().includes('\r\n\r\n');
      await soon(context, 'a stream for a page of the service', { holds });
      const answered = wire.said();
      context.expect.ok(answered.startsWith('HTTP/1.1 101 '), `${answered} opens the stream`);
      context.expect.ok(/^sec-websocket-protocol: object\r$/im.test(answered), 'the protocol');
      context.expect.ok(!answered.includes(session), 'the session is not echoed');
    },
  },
];

/** A little longer than the slowest of what is waited for below. */
const BODY_S = limits.body_default_s + 2;

const patientRules: readonly Rule[] = [
  {
    id: 'connection/slow-bodies',
    requirements: ['A159'],
    routes: ['createSession', 'calcToolpath', 'run'],
    statement:
      'A body that trickles in is cut off, later where it may be long, and soon if unread.',
    needs: { ...needs, wallTime_s: BODY_S + LATE_S },
    async check(context) {
      const { expect } = context;
      const { session } = await context.as('user');
      const usual = context.dial(announced('POST /api/v1/auth', 1000, null));
      const long = context.dial(announced('PUT /api/v1/toolpath/calc', BODY_S + 2, session));
      const unread = context.dial(announced('POST /api/v1/controls/run', 1000, null));
      const dripped = [usual, long, unread].map((wire) =>
        drip(context, wire, { piece: ' ', count: BODY_S }),
      );
      await context.wait(limits.leftover_body_s - 1.5);
      expect.ok(unread.isOpen(), 'a body that was answered before may come to its end');
      await ends(context, unread, 1.5 + LATE_S);
      checkRefusal(replyOf(unread, context), { status: 401, error_code: 5 });
      expect.equal(usual.said(), '', 'what is said to a body that may still come');
      await Promise.all(dripped);
      await ends(context, usual, LATE_S);
      checkRefusal(replyOf(usual, context), { status: 503, error_code: 1 });
      expect.equal(long.said(), '', 'what is said to a long body meanwhile');
      long.send('{}');
      await answers(context, long);
      checkRefusal(replyOf(long, context), { status: 400, error_code: 8 });
    },
  },
  {
    id: 'connection/long-calls',
    requirements: ['A159'],
    routes: ['addFault', 'goTo'],
    statement: 'A call that takes longer than it may is refused, and does nothing any more.',
    needs: { ...needs, admin: true, motion: true, wallTime_s: limits.call_default_s + 2 * LATE_S },
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
      context.expect.equal(control.state, 'ready', 'state when the plan is there');
      context.expect.close(at, here, 1e-3);
    },
  },
  {
    id: 'connection/silence',
    requirements: [],
    routes: ['addFault', 'getLock'],
    statement: 'Connections that say nothing are ended; a call that is worked on is not.',
    needs: { ...needs, admin: true, wallTime_s: limits.headers_s + LATE_S },
    async check(context) {
      const { expect } = context;
      const admin = await context.as('admin');
      const delay_s = limits.silence_s + 1;
      const fault = { kind: 'reply', path: LOCK_PATH, effect: 'delay', delay_s, times: 1 } as const;
      await admin.does('addFault', fault);
      const silent = context.dial('');
      const asked = (request: string) => {
        return context.dial(headOf(request, [`Authorization: Bearer ${admin.session}`]));
      };
      const done = asked('GET /api/versions');
      const atWork = asked(`GET ${LOCK_PATH}`);
      const endless = context.dial('GET /api/versions HTTP/1.1\r\nHost: arm\r\n');
      const dripped = drip(context, endless, {
        piece: 'X-More: 1\r\n',
        count: limits.headers_s + LATE_S,
      });
      await context.wait(limits.silence_s / 2);
      expect.ok(silent.isOpen(), 'a connection may wait a moment for its request');
      await ends(context, silent, limits.silence_s);
      await ends(context, done, limits.silence_s);
      expect.equal(replyOf(done, context).status, 200, 'status of a call before');
      await answers(context, atWork);
      expect.equal(replyOf(atWork, context).status, 200, 'status of a call that takes long');
      await dripped;
      await ends(context, endless);
      checkRefusal(replyOf(endless, context), { status: 400, error_code: 8 });
    },
  },
  {
    id: 'stream/signs-of-life',
    requirements: [],
    routes: ['openStream'],
    statement: 'The stream asks for signs of life, and lets go of who gives none: nobody else.',
    needs: {
      ...needs,
      admin: true,
      wallTime_s: limits.stream_ping_s * (limits.stream_missed_pings + 1) + 1,
    },
    async check(context) {
      const admin = await context.as('admin');
      const [alert, deaf] = [await context.listen(admin), await context.listen(admin)];
      deaf.deafen(true);
      await context.wait(limits.stream_ping_s * (limits.stream_missed_pings + 1) + 1);
      deaf.deafen(false);
      await context.until('the end of the deaf stream', async () => !deaf.isOpen());
      await admin.does('changeConfig', { kind: 'time', message: 'still there' });
      await alert.heard('config_change', ({ message }) => message === 'still there');
      context.expect.ok(alert.isOpen(), 'who gives signs of life hears on');
    },
  },
];

export const CONNECTION_RULES: readonly Rule[] = [...swiftRules, ...patientRules];
