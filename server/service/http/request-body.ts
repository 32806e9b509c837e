/**
 * The body of a call: which kind a row has, whether a request has one, and how it is read with
 * limits on size and time (§7, D2).
 */
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { RouteRow } from '../../../contract/routes.ts';
import type { SchemaId } from '../../../contract/schemas.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { ReadBody } from '../../documents/body-task.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { Claimant } from '../../shares/claimant.ts';
import type { RequestHeaders, RouteRequest } from './route-request.ts';

interface WithHeaders {
  readonly headers: RequestHeaders;
}

/** True when the request announces a body. */
export function announcesBody({ headers }: WithHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The size that a request announces for its body (bytes); 0 if it does not. */
export function announcedSize({ headers }: WithHeaders): number {
  return Number(headers['content-length'] ?? 0);
}

/** Refuses a body whose announced size is too large, without reading it. */
export function sizeRefusal(request: WithHeaders, limit_bytes: number): Refusal | null {
  if (announcedSize(request) <= limit_bytes) return null;
  return refuse('body_too_large', `The body is larger than ${limit_bytes} bytes`);
}

/** A request whose body is read, and whether the SHA-256 of its canonical body is needed. */
interface BodyReading {
  readonly request: Pick<RouteRequest, 'route' | 'dialect'>;
  readonly documents: Pick<DocumentReader, 'body'>;
  readonly needsHash: boolean;
  /** Whose body it is. */
  readonly claimant: Claimant;
}

/** What a row carries in the bodies of its requests, and how it is read. */
interface BodyKind {
  /** Its content types; a refusal names the first. */
  readonly types: readonly string[];
  /** Every request has one, and names its type in each dialect. */
  readonly isAlwaysSent: boolean;
  /** It is so large that lock and state are checked before it is received. */
  readonly isCheckedEarly: boolean;
  /** The bytes from its start that are kept. */
  keptBytes(row: RouteRow): number;
  /** What the handler gets of the kept bytes. */
  read(pieces: readonly Buffer[], reading: BodyReading): Promise<ReadBody | Refusal> | ReadBody;
}

const NO_BODY: ReadBody = { body: undefined, ignored: [], sha256: null };

const BODY_KINDS: { readonly [kind in 'json' | 'package']: BodyKind } = {
  /** Strict UTF-8 JSON by the schema of the row. */
  json: {
    types: ['application/json'],
    isAlwaysSent: false,
    isCheckedEarly: false,
    keptBytes: (row) => row.bodyLimit_bytes,
    async read(pieces, { request, documents, needsHash, claimant }) {
      const { row } = request.route;
      // Arms in the field have no such calls, whose clients could expect leniency.
      const dialect = isOfArm(row) ? request.dialect : 'documented';
      const schema = (row.body ?? 'Nothing') as SchemaId;
      const isUsers = row.role === 'user';
      const task = { route: row.id, schema, dialect, pieces, needsHash, isUsers };
      const read = await documents.body(task, claimant);
      const isIgnored = request.dialect === 'fielded' && isOpenBody(row);
      return isIgnored && 'refused' in read ? absentBody(row) : read;
    },
  },
  /** An update, of which only the start is looked at. */
  package: {
    types: ['application/x.automata-update', 'application/octet-stream'],
    isAlwaysSent: true,
    isCheckedEarly: true,
    keptBytes: () => limits.package_head_bytes,
    read: ([start]) => ({ ...NO_BODY, body: start }),
  },
};

/** The kind of body of a row. */
export function bodyKindOf(row: RouteRow): BodyKind {
  return BODY_KINDS[row.carries === 'package' ? 'package' : 'json'];
}

/** Whether every request of a row has a JSON body. */
export function needsBody(row: RouteRow): boolean {
  return row.body !== undefined && row.bodyOptional !== true;
}

/** Whether it is a call of the arm's own API. */
function isOfArm(row: RouteRow): boolean {
  return row.path.startsWith('/api/');
}

/** Whether arms in the field take the call whatever its body is (D3): that has nothing to say. */
function isOpenBody(row: RouteRow): boolean {
  return row.body === undefined || (!needsBody(row) && isOfArm(row));
}

/** The body of a call without one: the fields of a body that it may leave out are absent. */
export function absentBody(row: RouteRow): ReadBody {
  return row.body === undefined ? NO_BODY : { ...NO_BODY, body: {} };
}

/** Whether the body must be read before the call can be handled. */
export function readsBody(row: RouteRow, request: WithHeaders): boolean {
  return bodyKindOf(row).isAlwaysSent || needsBody(row) || announcesBody(request);
}

/** Receives the body of a call, then reads and validates it. */
export async function readAndValidate(
  request: Pick<RouteRequest, 'route' | 'dialect' | 'body'>,
  { wall, documents }: { readonly wall: WallClock; readonly documents: DocumentReader },
  needsHash: boolean,
  claimant: Claimant,
): Promise<ReadBody | Refusal> {
  const { row } = request.route;
  const kind = bodyKindOf(row);
  const isDefault = row.timeout_s === limits.call_default_s;
  const pieces = await request.body.readBody({
    limit_bytes: row.bodyLimit_bytes,
    kept_bytes: kind.keptBytes(row),
    limit_s: isDefault ? limits.body_default_s : row.timeout_s,
    wall,
    pause_ms: (bytes) => documents.pauseAfter(bytes, claimant.owner),
  });
  if ('refused' in pieces) return pieces;
  return kind.read(pieces, { request, documents, needsHash, claimant });
}
