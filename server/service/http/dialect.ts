/** The dialect of a reply, by the setting or by the client that asks (D1). */

import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../../contract/routes.ts';

/** `documented` follows the specification, `fielded` matches real arms; `auto` chooses by client. */
export type DialectSetting = Dialect | 'auto';

/** User agent of the vendor's Python SDK, which accepts the fielded dialect only. */
const FIELDED_CLIENT = 'Automata EvaSDK/';
/**
 * User agents of libraries that clients of the field use without a name of their own, and without a
 * content type: Go's HTTP client by the Go driver, requests by the Python SDK up to 4.0.
 */
const FIELDED_LIBRARIES = ['Go-http-client/', 'python-requests/'];

/** The dialect of a reply: as configured, or by the headers of the request. */
export function dialectOf(setting: DialectSetting, headers: IncomingHttpHeaders): Dialect {
  if (setting !== 'auto') return setting;
  const agent = headers['user-agent'] ?? '';
  if (agent.startsWith(FIELDED_CLIENT)) return 'fielded';
  const isLibrary = FIELDED_LIBRARIES.some((library) => agent.startsWith(library));
  return isLibrary && headers['content-type'] === undefined ? 'fielded' : 'documented';
}
