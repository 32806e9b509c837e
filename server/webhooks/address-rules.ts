/**
 * Which addresses webhook deliveries may call: the protection against server-side request forgery
 * (docs/decisions).
 */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface AddressRules {
  /** Whether loopback and private networks may be reached. */
  readonly allowPrivate: boolean;
  /** The twin's own port, which is never called on this machine. */
  readonly ownPort: () => number;
  /** The addresses of this machine; default: those of its network interfaces. */
  readonly ownAddresses?: () => readonly string[];
}

function listOf(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ranges) {
    list.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * The IANA special-purpose address registries (IPv4 and IPv6) but for loopback, private and shared
 * addresses; multicast; and addresses on which clouds serve the metadata of a machine.
 */
const ALWAYS_DENIED = listOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['::', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fe80::', 10],
  ['fec0::', 10],
  ['fd00:ec2::254', 128],
  ['ff00::', 8],
]);
const LOOPBACK = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);
const PRIVATE = listOf([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
]);

/** IPv4 addresses inside IPv6 ones: mapped, translated, NAT64, compatible; 6to4. */
const DOTTED_MAPPED = /^(?:::ffff:0:|::ffff:|64:ff9b::|::)(\d+\.\d+\.\d+\.\d+)$/i;
const HEX_MAPPED = /^(?:::ffff:0:|::ffff:|64:ff9b::|::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;
const SIX_TO_FOUR = /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):/i;

/** Returns the IPv4 address inside an IPv6 one, or the address itself. */
function embeddedIpv4(address: string): string {
  const dotted = DOTTED_MAPPED.exec(address)?.[1];
  if (dotted) return dotted;
  const hex = HEX_MAPPED.exec(address) ?? SIX_TO_FOUR.exec(address);
  if (!hex) return address;
  const [high, low] = [Number.parseInt(hex[1]!, 16), Number.parseInt(hex[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function isIn(list: BlockList, address: string): boolean {
  const ip = embeddedIpv4(address);
  return list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

export function systemAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
}

function isOwn(ip: string, { ownAddresses = systemAddresses }: AddressRules): boolean {
  return isIn(LOOPBACK, ip) || ownAddresses().includes(embeddedIpv4(ip));
}

/** Returns why an address is denied, or null if it is allowed. */
export function denialReason(ip: string, url: URL, rules: AddressRules): string | null {
  if (isIn(ALWAYS_DENIED, ip)) return `${ip} is an address that is never called`;
  if (portOf(url) === rules.ownPort() && isOwn(ip, rules)) return 'that is the twin itself';
  const inside = isIn(LOOPBACK, ip) || isIn(PRIVATE, ip);
  return inside && !rules.allowPrivate ? `${ip} is loopback or private, which is denied` : null;
}

/** The host name of a URL without its port, an IPv6 address without its brackets. */
export function hostNameOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Why a URL is denied by its literal address alone; null for a host name or an allowed address. */
export function literalDenial(url: URL, rules: AddressRules): string | null {
  const host = hostNameOf(url);
  return isIP(host) === 0 ? null : denialReason(host, url, rules);
}
