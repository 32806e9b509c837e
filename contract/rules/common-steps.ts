/** Steps that many rules share. Also: steps on raw TCP connections. */
import type { Actor, RawConnection, RawReply, RuleContext } from './rule.ts';

/** Runs `work` while the clock is paused; only `advanceClock` advances time. */
export async function whileClockPaused(
  context: RuleContext,
  work: (admin: Actor) => Promise<void>,
): Promise<void> {
  await (await context.as('admin')).does('setClock', { paused: true });
  try {
    await work(await context.as('admin'));
  } finally {
    const { session } = await newAdminSession(context);
    const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
    const request = { method: 'PUT', path: '/sim/v1/clock', headers };
    await context.raw({ ...request, body: '{"paused":false}' });
  }
}

/** Whether a twin says that its clock is by itself faster than real time; arms say nothing. */
export function outrunsWall(headers: Headers): boolean {
  const pace = /clock=([^;]+)/.exec(headers.get('X-Armtwin') ?? '')?.[1];
  return pace === 'max' || Number(pace) > 1;
}

/**
 * Runs `work` on a clock that is no faster than real time by itself: on a faster one the twin keeps
 * the lock for its clients (D13). For rules with the need `realTime`.
 */
export async function inRealTime(context: RuleContext, work: () => Promise<void>): Promise<void> {
  const { headers } = await context.raw({ method: 'GET', path: '/api/v1/name' });
  if (!outrunsWall(headers)) return work();
  const admin = await context.as('admin');
  const { pace } = await admin.does('getClock');
  await admin.does('setClock', { pace: 1 });
  try {
    await work();
  } finally {
    await admin.does('setClock', { pace });
  }
}

/** A new session of the admin, for use after a power cycle or a long time. */
export async function newAdminSession(context: RuleContext): Promise<{ readonly session: string }> {
  const anonymous = await context.as('anonymous');
  const { token } = await anonymous.does('createSession', { token: context.tokenOf('admin') });
  return { session: token };
}

/** Sends a call in a new session of the admin and returns the status. */
export async function statusOf(context: RuleContext, call: string, body: object): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const { session } = await newAdminSession(context);
  const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
  return (await context.raw({ method, path, headers, body: JSON.stringify(body) })).status;
}

/** The robot's state (spec §3.1). */
export async function stateOf(context: RuleContext): Promise<string> {
  return (await context.snapshot()).control.state;
}

/** Advances arm time until the robot reaches a state. */
export async function waitForState(context: RuleContext, state: string): Promise<void> {
  await context.until(`the robot is ${state}`, async () => (await stateOf(context)) === state);
}

/** The user, after acquiring the lock. */
export async function userWithLock(context: RuleContext): Promise<Actor> {
  const user = await context.as('user');
  await user.does('takeLock');
  return user;
}

/** The id of the user of a non-admin actor: the only user whose tokens it can list. */
export async function userIdOf(actor: Actor): Promise<number> {
  for (const { id: user_id } of (await actor.does('listUsers')).users) {
    const own = await actor.does('listTokens', { user_id }).then(
      () => true,
      () => false,
    );
    if (own) return user_id;
  }
  throw new TypeError('an actor owns no user');
}

/** Steps of rules on raw TCP connections: composing requests, waiting, reading the reply. */

/** Tolerance for a busy machine (s). */
export const LATE_S = 2.5;

/** The head of a request as text; lines as `Name: value`. */
export function requestHead(request: string, lines: readonly string[]): string {
  return `${[`${request} HTTP/1.1`, 'Host: arm', ...lines].join('\r\n')}\r\n\r\n`;
}

/** The head of a JSON request with a body of `body_bytes`, optionally with a session. */
export function requestHeadWithBody(
  request: string,
  body_bytes: number,
  session: string | null,
): string {
  const authorization = session === null ? [] : [`Authorization: Bearer ${session}`];
  const lines = ['Content-Type: application/json', `Content-Length: ${body_bytes}`];
  return requestHead(request, [...authorization, ...lines]);
}

/** Parses the single reply of a connection. Breaks the rule when there is not exactly one. */
export function replyOf(connection: RawConnection, { expect }: RuleContext): RawReply {
  const text = connection.received();
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

interface Condition {
  readonly holds: () => boolean;
  readonly limit_s?: number;
}

/** Waits in wall time until a condition holds. Breaks the rule after the limit. */
export async function waitUntil(
  { wait, expect }: RuleContext,
  what: string,
  { holds, limit_s = LATE_S }: Condition,
): Promise<void> {
  let passed_s = 0;
  for (let poll_s = 0.01; !holds(); poll_s = Math.min(0.1, 2 * poll_s)) {
    if (passed_s > limit_s) expect.fail(`not within ${limit_s} s: ${what}`);
    await wait(poll_s);
    passed_s += poll_s;
  }
}

/** Waits until the service closes a connection. */
export async function waitForClose(
  context: RuleContext,
  connection: RawConnection,
  limit_s = LATE_S,
): Promise<void> {
  const holds = () => !connection.isOpen();
  await waitUntil(context, 'the connection is closed', { holds, limit_s });
}

/** Waits for the closing brace of a JSON reply. */
export async function waitForReply(context: RuleContext, connection: RawConnection): Promise<void> {
  await waitUntil(context, 'a reply', { holds: () => connection.received().endsWith('}') });
}

/** Sends a piece every second while the connection is open. */
export async function drip(
  { wait }: RuleContext,
  connection: RawConnection,
  { piece, count }: { readonly piece: string; readonly count: number },
): Promise<void> {
  for (let sent = 0; sent < count && connection.isOpen(); sent++) {
    connection.send(piece);
    await wait(1);
  }
}
