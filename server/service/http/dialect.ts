/** The dialect of a reply, by the setting or by the client that asks (D1). */

import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../../contract/routes.ts';

/** `documented` follows the specification, `fielded` matches real arms; `auto` chooses by client. */
export type DialectSetting = Dialect | 'auto';

/** User agent of the vendor's Python SDK, which accepts the fielded dialect only. */
const FIELDED_CLIENT = 'Automata EvaSDK/';
/** User agent of Go's HTTP client; the Go driver of the field sends JSON without a content type. */
const GO_CLIENT = 'Go-http-client/';

/** The dialect of a reply: as configured, or by the headers of the request. */
export function dialectOf(setting: DialectSetting, headers: IncomingHttpHeaders): Dialect {
  if (setting !== 'auto') return setting;
  const agent = headers['user-agent'] ?? '';
  const isGoDriver = agent.startsWith(GO_CLIENT) && headers['content-type'] === undefined;
  return isGoDriver || agent.startsWith(FIELDED_CLIENT) ? 'fielded' : 'documented';
}
