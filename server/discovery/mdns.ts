/**
 * Tells the local network that an arm is here (`--discover`): multicast DNS, the service
 * `_automata-eva._tcp` with the robot's name in the TXT record, as clients in the field look for
 * it.
 */
import { isIP } from 'node:net';
import { Bonjour } from 'bonjour-service';

export interface MdnsOptions {
  readonly name: string;
  readonly port: number;
  /** Address that the server listens on; one that stands for all is announced on all. */
  readonly host: string;
  /** Told of a network that does not take the announcement; the twin goes on without. */
  readonly onError: (error: unknown) => void;
  /** UDP port of multicast DNS; another one keeps tests to themselves. */
  readonly mdnsPort?: number;
}

/** What clients look for. */
export const SERVICE_TYPE = 'automata-eva';

const ALL: readonly string[] = ['0.0.0.0', '::', 'localhost'];

/** Where multicast goes out; listening everywhere hears it on the loopback too. */
export function multicastOptions(host: string, mdnsPort?: number) {
  const interfaces = isIP(host) === 4 && !ALL.includes(host) ? { interface: host } : {};
  return { ...interfaces, bind: '0.0.0.0', ...(mdnsPort === undefined ? {} : { port: mdnsPort }) };
}

/** Announces the arm until `stop`, which says goodbye and resolves when that is sent. */
export function announce(options: MdnsOptions): { readonly stop: () => Promise<void> } {
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
