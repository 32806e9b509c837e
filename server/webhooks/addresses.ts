/**
 * Protects webhook deliveries against server-side request forgery: which addresses may be called,
 * and DNS resolution once per attempt. The connection is pinned to the resolved IP address, so a
 * second DNS answer cannot redirect it (docs/decisions).
 */

import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { limits } from '../../contract/limits.ts';
import { failure, type Result, success } from '../../contract/refusal.ts';
import type { WallClock } from '../clock/clock.ts';

/** Resolves a host name to IP addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Resolves with the operating system. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

/**
 * Limits concurrent lookups, since each blocks a libuv thread that disk I/O needs too, and adds a
 * timeout.
 */
export class Resolver {
  private readonly wall: WallClock;
  private readonly resolve: Resolve;
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(wall: WallClock, resolve: Resolve = systemResolve) {
    this.wall = wall;
    this.resolve = resolve;
  }

  private async lookUp(host: string): Promise<readonly string[]> {
    if (this.busy >= limits.hook_dns_lookups) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.busy++;
    try {
      return await this.resolve(host);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.busy--;
    }
  }

  /** Returns the addresses of a host; rejects when the lookup fails or times out. */
  find(host: string, timeout_ms: number): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const cancel = this.wall.afterUnreferenced(timeout_ms, () =>
        reject(new Error(`the DNS lookup of ${host} timed out`)),
      );
      this.lookUp(host).then(resolve, reject).finally(cancel);
    });
  }
}

export interface AddressRules {
  /** Whether loopback and private networks may be reached. */
  readonly allowPrivate: boolean;
  /** The twin's own port, which is never called on this machine. */
  readonly ownPort: () => number;
  /** The addresses of this machine; default: those of its network interfaces. */
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

function systemAddresses(): string[] {
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

/** The host of a URL, an IPv6 address without its brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Why a URL is denied by its literal address alone; null for a host name or an allowed address. */
export function literalDenial(url: URL, rules: AddressRules): string | null {
  const host = hostOf(url);
  return isIP(host) === 0 ? null : denialReason(host, url, rules);
}

/** Address rules as plain data, for threads. */
export interface StaticAddressRules {
  readonly allowPrivate: boolean;
  readonly ownPort: number;
}

/** The hooks of a workflow definition that go to a denied literal address. */
export function deniedHooks(
  definition: unknown,
  { allowPrivate, ownPort }: StaticAddressRules,
): { readonly path: string; readonly message: string }[] {
  let own: readonly string[] | null = null;
  const ownAddresses = () => {
    own ??= systemAddresses();
    return own;
  };
  const rules = { allowPrivate, ownPort: () => ownPort, ownAddresses };
  const { hooks, workflow } = definition as { hooks?: unknown; workflow?: { hooks?: unknown } };
  const lists = [
    ['/workflow/hooks', workflow?.hooks],
    ['/hooks', hooks],
  ] as const;
  return lists.flatMap(([path, list]) =>
    (Array.isArray(list) ? list : []).flatMap((hook: unknown, at) => {
      const { parameters } = (hook ?? {}) as { readonly parameters?: { readonly url?: unknown } };
      const url = parameters?.url;
      if (typeof url !== 'string' || !URL.canParse(url)) return [];
      const message = literalDenial(new URL(url), rules);
      return message === null ? [] : [{ path: `${path}/${at}/parameters/url`, message }];
    }),
  );
}

/** Parses and resolves a URL; every address of its host must be allowed. */
export async function pinAddress(
  text: string,
  rules: AddressRules,
  resolve: Resolve = systemResolve,
): Promise<Result<PinnedAddress, string>> {
  if (!URL.canParse(text)) return failure('not an absolute address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return failure('not http or https');
  if (url.username || url.password) return failure('it holds a user name or password');
  const host = hostOf(url);
  let found: readonly string[];
  try {
    found = isIP(host) ? [host] : await resolve(host);
  } catch {
    return failure(`${host} is not found`);
  }
  for (const ip of found) {
    const reason = denialReason(ip, url, rules);
    if (reason) return failure(reason);
  }
  const ip = found[0];
  if (ip === undefined) return failure(`${host} has no address`);
  return success({ url, ip, family: isIP(ip) === 6 ? 6 : 4 });
}
