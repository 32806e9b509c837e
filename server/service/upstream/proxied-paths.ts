/** Which calls the server in front of a remote arm passes on. */
import { isCall } from '../http/request-target.ts';

/** The simulation control API is not proxied: it is for the operator of that twin. */
const SIMULATION_PATH = '/sim/';

/** Whether a call is proxied. */
export function isProxied(url: string): boolean {
  return isCall(url) && !url.startsWith(SIMULATION_PATH);
}
