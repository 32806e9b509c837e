/**
 * Advertises the arm on the local network (`--discover`): multicast DNS, the service
 * `_automata-eva._tcp` with the robot's name in the TXT record, as existing clients expect.
 */
import { isIP } from 'node:net';
import type { Config } from '../cli/config.ts';
import { systemClock, wait } from '../clock/wall-clock.ts';

export interface MdnsOptions {
  readonly name: string;
  readonly port: number;
  /** Address that the server listens on; a wildcard address is advertised on every interface. */
  readonly host: string;
  /** Receives network errors; the twin keeps running. */
  readonly onError: (error: unknown) => void;
  /** UDP port of multicast DNS; tests use another one. */
  readonly mdnsPort?: number;
}

/** The service type that clients search for. */
export const SERVICE_TYPE = 'automata-eva';

const GOODBYE_TIMEOUT_MS = 500;
const WILDCARDS: readonly string[] = ['0.0.0.0', '::', 'localhost'];

/** The interface for outgoing multicast; listening on 0.0.0.0 includes the loopback. */
export function multicastOptions(host: string, mdnsPort?: number) {
  const interfaces = isIP(host) === 4 && !WILDCARDS.includes(host) ? { interface: host } : {};
  return { ...interfaces, bind: '0.0.0.0', ...(mdnsPort === undefined ? {} : { port: mdnsPort }) };
}

/**
 * Announces the arm until `stop`, which resolves when the goodbye is sent. The mDNS library is
 * loaded here, so that a twin without `--discover` never loads it.
 */
export async function announce(options: MdnsOptions): Promise<{ stop: () => Promise<void> }> {
  const { Bonjour } = await import('bonjour-service');
  const { name, port, host, onError, mdnsPort } = options;
  const bonjour = new Bonjour(multicastOptions(host, mdnsPort), onError);
  const service = bonjour.publish({ name, type: SERVICE_TYPE, port, txt: { name } });
  service.on('error', onError);
  return {
    stop: () =>
      new Promise((resolve) => {
        bonjour.unpublishAll(() => bonjour.destroy(() => resolve()));
      }),
  };
}

/** Announces the arm if the configuration asks for it; the result stops that. */
export async function advertiseOnNetwork(
  { discover, host }: Config,
  options: Pick<MdnsOptions, 'name' | 'port' | 'onError'>,
): Promise<() => Promise<void>> {
  if (!discover) return async () => {};
  const { stop } = await announce({ ...options, host });
  // An unreachable network never confirms the goodbye.
  return () => Promise.race([stop(), wait(systemClock, GOODBYE_TIMEOUT_MS)]);
}
