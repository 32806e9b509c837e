/**
 * Origins. Browsers name the origin of a page in every request that may have an effect elsewhere;
 * that of another page is refused before anything is done, since a reply without CORS headers only
 * hides from the page what its call did. Requests without an origin come from no page, or open one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refuse } from '../../../contract/refusal.ts';

function isListed(origin: string, allowed: readonly string[]): boolean {
  return allowed.includes(origin) || allowed.includes('*');
}

/** Whether the request is no page's, or that of a page of this server or of an allowed origin. */
export function originAllowed(
  { headers }: Pick<IncomingMessage, 'headers'>,
  allowed: readonly string[],
): boolean {
  const { origin, host, 'x-forwarded-proto': scheme } = headers;
  if (origin === undefined || isListed(origin, allowed)) return true;
  try {
    const page = new URL(origin);
    // Behind TLS, a page that came without it may be another's.
    return page.host === host && (scheme !== 'https' || page.protocol === 'https:');
  } catch {
    return false;
  }
}

/** The refusal of a request of another page; null for every other request. */
export function originRefusal(
  request: Pick<IncomingMessage, 'headers'>,
  allowed: readonly string[],
): Refusal<'role_too_low'> | null {
  if (originAllowed(request, allowed)) return null;
  return refuse('role_too_low', 'Pages of this origin may not call; --allow-origin names others');
}

/** Sets the CORS headers if the request's origin is allowed; returns whether it is. */
export function allowOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): boolean {
  const { origin } = request.headers;
  if (!origin || !isListed(origin, allowed)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Idempotency-Key',
  );
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  response.setHeader('Vary', 'Origin');
  return true;
}
