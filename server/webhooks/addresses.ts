/**
 * Where bodies may be sent: a name is resolved once an attempt and the connection is pinned to what
 * was found, so that no second answer can lead elsewhere (facts: delivery, addresses).
 */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { failure, type Result, success } from '../../contract/result.ts';
import { type Resolve, systemResolve } from './resolver.ts';

export interface AddressRules {
  /** Whether loopback and private networks may be reached. */
  readonly allowPrivate: boolean;
  /** The twin's own port: never a receiver on this machine. */
  readonly ownPort: () => number;
  /** The addresses of this machine; default: what its network interfaces say now. */
  readonly ownAddresses?: () => readonly string[];
}

export interface PinnedAddress {
  readonly url: URL;
  readonly ip: string;
  readonly family: 4 | 6;
}

function listOf(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ranges) {
    list.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

const NEVER = listOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['100.100.100.200', 32],
  ['::', 128],
  ['fe80::', 10],
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

/** Ways to write an IPv4 address inside an IPv6 one: mapped, by NAT64, compatible; by 6to4. */
const DOTTED = /^(?:::ffff:|64:ff9b::|::)(\d+\.\d+\.\d+\.\d+)$/i;
const IN_WORDS = /^(?:::ffff:|64:ff9b::|::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;
const SIX_TO_FOUR = /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):/i;

/** The IPv4 address inside an IPv6 one, or the address itself. */
function plain(address: string): string {
  const dotted = DOTTED.exec(address)?.[1];
  if (dotted) return dotted;
  const hex = IN_WORDS.exec(address) ?? SIX_TO_FOUR.exec(address);
  if (!hex) return address;
  const [high, low] = [Number.parseInt(hex[1]!, 16), Number.parseInt(hex[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function isIn(list: BlockList, address: string): boolean {
  const ip = plain(address);
  return list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function systemAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
}

function isOwn(ip: string, { ownAddresses = systemAddresses }: AddressRules): boolean {
  return isIn(LOOPBACK, ip) || ownAddresses().includes(plain(ip));
}

/** Why an address may not be reached, or null. */
export function denial(ip: string, url: URL, rules: AddressRules): string | null {
  if (isIn(NEVER, ip)) return `${ip} is an address that is never called`;
  if (portOf(url) === rules.ownPort() && isOwn(ip, rules)) return 'that is the twin itself';
  const inside = isIn(LOOPBACK, ip) || isIn(PRIVATE, ip);
  return inside && !rules.allowPrivate ? `${ip} is loopback or private, which is denied` : null;
}

/** Reads and resolves an address; every address of the name must be allowed. */
export async function pinAddress(
  text: string,
  rules: AddressRules,
  resolve: Resolve = systemResolve,
): Promise<Result<PinnedAddress, string>> {
  if (!URL.canParse(text)) return failure('not an absolute address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return failure('not http or https');
  if (url.username || url.password) return failure('it holds a user name or password');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  let found: readonly string[];
  try {
    found = isIP(host) ? [host] : await resolve(host);
  } catch {
    return failure(`${host} is not found`);
  }
  for (const ip of found) {
    const reason = denial(ip, url, rules);
    if (reason) return failure(reason);
  }
  const ip = found[0];
  if (ip === undefined) return failure(`${host} has no address`);
  return success({ url, ip, family: isIP(ip) === 6 ? 6 : 4 });
}
