/** Asks what is at the address of a remote arm, for /readyz of the server in front of it. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { WallClock } from '../../clock/wall-clock.ts';
import { failureReason } from './upstream-request.ts';

/** The call of every arm that needs no session. */
export const PROBE_PATH = '/api/versions';

/** An arm that answers at all answers within this time. */
const PROBE_S = 2;
/** No list of versions is longer (bytes). */
const REPLY_MAX_BYTES = 64 * 1024;

/** Statuses of an arm that wants a session for this call too; no other says that it is one. */
const NEEDS_SESSION = [401, 403];

const WRONG_ADDRESS = 'give the address of an arm with --upstream';

function isListOfVersions(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return body !== null && typeof body === 'object' && 'APIs' in body;
  } catch {
    return false;
  }
}

/** What is wrong with a complete reply; null where it is that of an arm. */
function replyFault({ statusCode = 0, headers }: IncomingMessage, text: string): string | null {
  const isData = headers['content-type']?.includes('json') === true;
  if (isData && NEEDS_SESSION.includes(statusCode)) return null;
  const asked = `the upstream answers GET ${PROBE_PATH} with`;
  if (statusCode !== 200) {
    const { location } = headers;
    const where = location === undefined ? '' : ` to ${location}`;
    return `${asked} status ${statusCode}${where}: ${WRONG_ADDRESS}, or wait until it is ready`;
  }
  // A server may compress what no one asked it to; then the type of the data has to do.
  const isArm = isData && (headers['content-encoding'] !== undefined || isListOfVersions(text));
  return isArm ? null : `${asked} something else than its versions: ${WRONG_ADDRESS}`;
}

/** Sends the request and reads its reply; resolves with why the arm is not ready, or null. */
export function probeArm(outgoing: ClientRequest, wall: WallClock): Promise<string | null> {
  return new Promise((resolve) => {
    const fail = (why: string) => resolve(`the upstream arm does not answer: ${why}`);
    const cancel = wall.afterUnreferenced(PROBE_S * 1000, () => {
      fail(`no complete reply within ${PROBE_S} s`);
      outgoing.destroy();
    });
    outgoing.on('close', cancel);
    outgoing.on('error', (error) => fail(failureReason(error)));
    outgoing.on('upgrade', (_reply, socket) => {
      fail('an unexpected protocol upgrade');
      socket.destroy();
    });
    outgoing.on('response', (reply) => {
      const pieces: Buffer[] = [];
      let size = 0;
      reply.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size > REPLY_MAX_BYTES) reply.destroy(new Error('the reply is too large'));
      });
      reply.on('error', (error) => fail(failureReason(error)));
      reply.on('end', () => resolve(replyFault(reply, Buffer.concat(pieces).toString())));
    });
    outgoing.end();
  });
}
