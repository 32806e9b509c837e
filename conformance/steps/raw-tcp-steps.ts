/** Steps of rules on raw TCP connections: composing requests, waiting, reading the reply. */

import type { RawReply } from '../raw-request.ts';
import type { RawConnection } from '../raw-tcp.ts';
import type { RuleContext } from '../rule-context.ts';

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
