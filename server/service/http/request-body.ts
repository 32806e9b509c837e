/**
 * Reads request bodies with limits on size and time, and has them parsed as strict UTF-8 JSON and
 * validated (§7, D2).
 */
import type { IncomingMessage } from 'node:http';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Dialect, RouteRow } from '../../../contract/routes.ts';
import type { SchemaId } from '../../../contract/schemas.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { ReadBody } from '../../documents/body-task.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import { BodyBytes } from './body-bytes.ts';

/** True when the request announces a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
}

export function needsBody(row: RouteRow): boolean {
  return row.body !== undefined && row.bodyOptional !== true;
}

/** Whether arms in the field take the call whatever its body is (D3): that has nothing to say. */
function isOpenBody(row: RouteRow): boolean {
  return row.body === undefined || (!needsBody(row) && row.path.startsWith('/api/'));
}

/** Limits on the size of a body and on the time to receive it. */
interface BodyBounds {
  readonly limit_bytes: number;
  /** Bytes from the start that are kept; all others are counted and dropped. */
  readonly kept_bytes: number;
  readonly limit_s: number;
  readonly wall: WallClock;
  /** How long no more of a large body is to be received after these bytes of it (ms). */
  readonly pause_ms: (bytes: number) => number;
}

/** The size that a request announces for its body (bytes); 0 if it does not. */
function announcedSize({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return Number(headers['content-length'] ?? 0);
}

/** Refuses a body whose announced size is too large, without reading it. */
export function sizeRefusal(
  request: Pick<IncomingMessage, 'headers'>,
  limit_bytes: number,
): Refusal | null {
  if (announcedSize(request) <= limit_bytes) return null;
  return refuse('body_too_large', `The body is larger than ${limit_bytes} bytes`);
}

/**
 * Reads the body and returns its kept bytes in pieces, at least one; beyond a limit the rest stays
 * unread and the connection closes.
 */
export function readBody(
  request: IncomingMessage,
  { limit_bytes, kept_bytes, limit_s, wall, pause_ms }: BodyBounds,
): Promise<readonly Buffer[] | Refusal> {
  const tooLarge = refuse('body_too_large', `The body is larger than ${limit_bytes} bytes`);
  const early = sizeRefusal(request, limit_bytes);
  if (early) return Promise.resolve(early);
  return new Promise<readonly Buffer[] | Refusal>((resolve) => {
    const body = new BodyBytes(Math.min(announcedSize(request) || limit_bytes, kept_bytes));
    let size = 0;
    const cancel = wall.afterUnreferenced(limit_s * 1000, () => {
      resolve(refuse('timed_out', `The body was not complete within ${limit_s} s`));
    });
    request.on('close', cancel);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit_bytes) {
        request.pause();
        resolve(tooLarge);
      } else if (body.size < kept_bytes) {
        body.add(chunk.subarray(0, kept_bytes - body.size));
        const delay_ms = size > limits.large_document_bytes ? pause_ms(chunk.length) : 0;
        if (delay_ms === 0) return;
        request.pause();
        wall.afterUnreferenced(delay_ms, () => request.resume());
      }
    });
    request.on('end', () => {
      cancel();
      resolve(body.pieces());
    });
    request.on('error', () =>
      resolve(refuse('malformed_body', 'The body is incomplete: the connection closed')),
    );
    request.on('aborted', () =>
      resolve(refuse('malformed_body', 'The body is incomplete: the connection closed')),
    );
  });
}

const NO_BODY: ReadBody = { body: undefined, ignored: [], sha256: null };

/** The body of a call without one: the fields of a body that it may leave out are absent. */
export function absentBody(row: RouteRow): ReadBody {
  return row.body === undefined ? NO_BODY : { ...NO_BODY, body: {} };
}

/** Whether the body must be read before the call can be handled. */
export function readsBody(row: RouteRow, request: IncomingMessage): boolean {
  return row.carries === 'package' || needsBody(row) || announcesBody(request);
}

interface BodyReading {
  readonly dialect: Dialect;
  readonly wall: WallClock;
  readonly documents: DocumentReader;
  /** Whether the SHA-256 of the canonical body is needed. */
  readonly needsHash: boolean;
}

/** Receives the body of a call, then reads and validates it. */
export async function readAndValidate(
  row: RouteRow,
  request: IncomingMessage,
  { dialect, wall, documents, needsHash }: BodyReading,
): Promise<ReadBody | Refusal> {
  const isDefault = row.timeout_s === limits.call_default_s;
  const limit_s = isDefault ? limits.body_default_s : row.timeout_s;
  const isPackage = row.carries === 'package';
  const kept_bytes = isPackage ? limits.package_head_bytes : row.bodyLimit_bytes;
  const pause_ms = (bytes: number) => documents.pauseAfter(bytes);
  const bounds = { limit_bytes: row.bodyLimit_bytes, kept_bytes, limit_s, wall, pause_ms };
  const pieces = await readBody(request, bounds);
  if ('refused' in pieces) return pieces;
  if (isPackage) return { ...NO_BODY, body: pieces[0] };
  const schema = (row.body ?? 'Nothing') as SchemaId;
  const isUsers = row.role === 'user';
  const task = { route: row.id, schema, dialect, pieces, needsHash, isUsers };
  const read = await documents.body(task);
  const isIgnored = dialect === 'fielded' && isOpenBody(row);
  return isIgnored && 'refused' in read ? absentBody(row) : read;
}
