import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * Security headers of pages: no inline script, nothing from other origins. The origin of a page
 * includes its web sockets (CSP 3), so that a page under attack can tell no other host anything.
 */
export const contentSecurityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'worker-src': ["'self'", 'blob:'],
      'connect-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'self'"],
    },
  },
  strictTransportSecurity: false,
});

/** The headers that `contentSecurityHeaders` sets, computed once: they never change. */
export function securityHeaders(): readonly (readonly [string, string])[] {
  const empty = new ServerResponse(new IncomingMessage(new Socket()));
  contentSecurityHeaders(empty.req, empty, () => {});
  return Object.entries(empty.getHeaders()).map(([name, value]) => [name, String(value)]);
}
