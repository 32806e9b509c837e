/**
 * Advertises the arm on the local network (`--discover`): multicast DNS, the service
 * `_automata-eva._tcp` with the robot's name in the TXT record, as existing clients expect. The
 * host name is the robot's name in `.local`; it resolves to the addresses that the server listens
 * on and to no others.
 */
import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import type { Config } from '../../cli/config.ts';
import { systemClock, wait } from '../../clock/wall-clock.ts';

export interface MdnsOptions {
  readonly name: string;
  readonly port: number;
  /** Address that the server listens on; a wildcard address stands for every interface. */
  readonly address: string;
  /** Receives network errors; the twin keeps running. */
  readonly onError: (error: unknown) => void;
  /** UDP port of multicast DNS; tests use another one. */
  readonly mdnsPort?: number;
}

/** The service type that clients search for. */
export const SERVICE_TYPE = 'automata-eva';

/** The port that the public SDK connects to, whatever port is advertised. */
const SDK_PORT = 80;
const GOODBYE_TIMEOUT_MS = 500;
/** Time that clients may cache an address (RFC 6762 §10). */
const ADDRESS_TTL_S = 120;
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];
/** Longest label of a domain name (RFC 1035 §2.3.4). */
const LABEL_CHARACTERS = 63;

/** The interface for outgoing multicast; listening on 0.0.0.0 includes the loopback. */
export function multicastOptions(address: string, mdnsPort?: number) {
  const isOne = isIP(address) === 4 && !WILDCARDS.includes(address);
  const interfaces = isOne ? { interface: address } : {};
  return { ...interfaces, bind: '0.0.0.0', ...(mdnsPort === undefined ? {} : { port: mdnsPort }) };
}

/** The host name of a robot: `Quiet Harbour Fox` is `quiet-harbour-fox.local`. */
export function hostNameOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const label = plain.replace(/[^a-z0-9]+/g, '-').slice(0, LABEL_CHARACTERS);
  return `${label.replace(/^-+|-+$/g, '') || 'armtwin'}.local`;
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

type Interfaces = NodeJS.Dict<readonly Pick<NetworkInterfaceInfo, 'address' | 'scopeid'>[]>;

/** The addresses under which the server can be reached; loopback alone where there is no other. */
export function reachableAddresses(address: string, interfaces: Interfaces): readonly string[] {
  if (!WILDCARDS.includes(address)) return [address];
  const all = Object.values(interfaces).flatMap((entries) => entries ?? []);
  // An address of a scope (link-local) is useless without the interface of the client.
  const usable = all.filter((entry) => !entry.scopeid).map((entry) => entry.address);
  const served = usable.filter((entry) => address === '::' || isIP(entry) === 4);
  const outside = served.filter((entry) => !isLoopback(entry));
  return outside.length > 0 ? outside : served;
}

/** What keeps clients of the network from the advertised arm. */
export function discoveryWarnings(port: number, addresses: readonly string[]): readonly string[] {
  const warnings = [];
  if (addresses.every(isLoopback)) {
    warnings.push(
      'Discovery: the service listens on loopback alone, so that no other machine can connect; ' +
        'use --host 0.0.0.0',
    );
  }
  if (port !== SDK_PORT) {
    warnings.push(
      `Discovery: the public Python SDK connects to port ${SDK_PORT} in any case; ` +
        `this service listens on ${port}; use --port ${SDK_PORT}`,
    );
  }
  return warnings;
}

/**
 * Announces the arm until `stop`, which resolves when the goodbye is sent. The mDNS library is
 * loaded here, so that a twin without `--discover` never loads it.
 */
export async function announce(options: MdnsOptions): Promise<{ stop: () => Promise<void> }> {
  const { Bonjour } = await import('bonjour-service');
  const { name, port, address, onError, mdnsPort } = options;
  const bonjour = new Bonjour(multicastOptions(address, mdnsPort), onError);
  const host = hostNameOf(name);
  const service = bonjour.publish({ name, type: SERVICE_TYPE, port, host, txt: { name } });
  service.on('error', onError);
  const recordsOf = service.records.bind(service);
  const isAddress = ({ type }: { type: string }) => type === 'A' || type === 'AAAA';
  // The library would publish the addresses of every interface but the loopback.
  service.records = () => [
    ...recordsOf().filter((record) => !isAddress(record)),
    ...reachableAddresses(address, networkInterfaces()).map((data) => {
      const type: 'A' | 'AAAA' = isIP(data) === 6 ? 'AAAA' : 'A';
      return { name: host, type, ttl: ADDRESS_TTL_S, data };
    }),
  ];
  return {
    stop: () =>
      new Promise((resolve) => {
        bonjour.unpublishAll(() => bonjour.destroy(() => resolve()));
      }),
  };
}

interface Advertisement extends Pick<MdnsOptions, 'name' | 'port' | 'address' | 'onError'> {
  readonly onWarning: (text: string) => void;
}

/** Announces the arm if the configuration asks for it; the result stops that. */
export async function advertiseOnNetwork(
  { discover }: Config,
  { onWarning, ...options }: Advertisement,
): Promise<() => Promise<void>> {
  if (!discover) return async () => {};
  const addresses = reachableAddresses(options.address, networkInterfaces());
  for (const warning of discoveryWarnings(options.port, addresses)) onWarning(warning);
  const { stop } = await announce(options);
  // An unreachable network never confirms the goodbye.
  return () => Promise.race([stop(), wait(systemClock, GOODBYE_TIMEOUT_MS)]);
}
