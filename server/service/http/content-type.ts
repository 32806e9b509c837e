/** The check of the content type and the encoding of a request body (§7, D2). */

import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Dialect, RouteRow } from '../../../contract/routes.ts';
import { announcesBody, bodyKindOf, needsBody } from './request-body.ts';
import type { RequestHeaders } from './route-request.ts';

/** Types that clients add to a request without a body unasked: aiohttp, and `curl -d ''` (D2). */
const UNCHOSEN_TYPES = ['application/octet-stream', 'application/x-www-form-urlencoded'];

/** The refusal for a wrong content type, or null. */
export function contentTypeRefusal(
  row: RouteRow,
  request: { readonly headers: RequestHeaders },
  dialect: Dialect,
): Refusal | null {
  const header = request.headers['content-type'];
  const { types, isAlwaysSent } = bodyKindOf(row);
  if (header === undefined) {
    const hasJson = needsBody(row) || announcesBody(request);
    const needed = isAlwaysSent || (hasJson && dialect === 'documented');
    if (!needed) return null;
    return refuse('wrong_content_type', `Send Content-Type: ${types[0]}`);
  }
  if (!needsBody(row) && !announcesBody(request) && UNCHOSEN_TYPES.includes(header)) {
    return null;
  }
  const [type, ...parameters] = header.toLowerCase().split(';');
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (types.includes(type!.trim()) && utf8) return encodingRefusal(request);
  return refuse('wrong_content_type', `Send Content-Type: ${types[0]}, not ${header}`);
}

/** The refusal of a compressed body, which would else be read as what it is not (RFC 9110 §8.4). */
function encodingRefusal(request: { readonly headers: RequestHeaders }): Refusal | null {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return null;
  if (!announcesBody(request)) return null;
  return refuse('wrong_content_type', `Send the body without Content-Encoding: ${encoding}`);
}
