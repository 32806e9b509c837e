/**
 * Reads request bodies with limits on size and time, checks the content type and parses strict
 * UTF-8 JSON (§7, D2).
 */
import type { IncomingMessage } from 'node:http';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Dialect, RouteRow } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type { WallClock } from '../clock/clock.ts';
import type { DocumentReader, ReadBody } from '../documents/document-tasks.ts';

const PACKAGE_TYPES = ['application/x.automata-update', 'application/octet-stream'];

/** Types that clients add to a request without a body unasked: aiohttp, and `curl -d ''` (D2). */
const UNCHOSEN_TYPES = ['application/octet-stream', 'application/x-www-form-urlencoded'];

/** True when the request announces a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
}

function needsBody(row: RouteRow): boolean {
  return row.body !== undefined && row.bodyOptional !== true;
}

/** Whether arms in the field take the call whatever its body is (D3): that has nothing to say. */
function isOpenBody(row: RouteRow): boolean {
  return row.body === undefined || (!needsBody(row) && row.path.startsWith('/api/'));
}

/** The refusal for a wrong content type, or null. */
export function contentTypeRefusal(
  row: RouteRow,
  request: IncomingMessage,
  dialect: Dialect,
): Refusal | null {
  const header = request.headers['content-type'];
  const expects = row.carries === 'package' ? PACKAGE_TYPES : ['application/json'];
  if (header === undefined) {
    const hasJson = needsBody(row) || announcesBody(request);
    const needed = row.carries === 'package' || (hasJson && dialect === 'documented');
    if (!needed) return null;
    return refuse('wrong_content_type', `Send Content-Type: ${expects[0]}`);
  }
  if (!needsBody(row) && !announcesBody(request) && UNCHOSEN_TYPES.includes(header)) {
    return null;
  }
  const [type, ...parameters] = header.toLowerCase().split(';');
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (expects.includes(type!.trim()) && utf8) return encodingRefusal(request);
  return refuse('wrong_content_type', `Send Content-Type: ${expects[0]}, not ${header}`);
}

/** The refusal of a compressed body, which would else be read as what it is not (RFC 9110 §8.4). */
function encodingRefusal(request: IncomingMessage): Refusal | null {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return null;
  if (!announcesBody(request)) return null;
  return refuse('wrong_content_type', `Send the body without Content-Encoding: ${encoding}`);
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

/** How much larger the memory of a small body becomes, up to what is expected. */
const GROWTH = 4;
/** Largest memory that grows (bytes); a larger body has pieces of it: copies delay ticks. */
const PIECE_BYTES = 1024 * 1024;

/**
 * The bytes of a body, in memory that grows with them. The chunks would each keep the memory that
 * they were received in until garbage is collected, and joined they are in memory twice: V8
 * interrupts ticks for 5 to 10 ms, and longer, when so much memory outside of its heap is in use.
 */
class BodyBytes {
  size = 0;
  /** The size that the body is expected to have at most (bytes). */
  private readonly expected: number;
  private readonly full: Buffer[] = [];
  /** The last piece, and how much of it is in use (bytes). */
  private memory: Buffer = Buffer.alloc(0);
  private used = 0;

  constructor(expected: number) {
    this.expected = expected;
  }

  add(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      this.grow(rest.length);
      const taken = rest.subarray(0, this.memory.length - this.used);
      taken.copy(this.memory, this.used);
      this.used += taken.length;
      this.size += taken.length;
      rest = rest.subarray(taken.length);
    }
  }

  /** Makes memory for at least one of the bytes. */
  private grow(bytes: number): void {
    if (this.used === PIECE_BYTES) {
      this.full.push(this.memory);
      this.memory = Buffer.alloc(0);
      this.used = 0;
    }
    const needed = this.used + bytes;
    if (needed <= this.memory.length) return;
    const expected = this.expected - (this.size - this.used);
    const arrived = this.full.length > 0 ? PIECE_BYTES : GROWTH * needed;
    const grown = Math.min(PIECE_BYTES, Math.max(needed, Math.min(expected, arrived)));
    if (grown === this.memory.length) return;
    const larger = Buffer.allocUnsafeSlow(grown);
    this.memory.copy(larger, 0, 0, this.used);
    this.memory = larger;
  }

  /** The bytes in order; all pieces but the last are full. */
  pieces(): Buffer[] {
    return [...this.full, this.memory.subarray(0, this.used)];
  }
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
