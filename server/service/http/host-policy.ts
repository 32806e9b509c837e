/**
 * The host names that the service answers to (RFC 9110 §7.2). A page on a public name that resolves
 * to this machine (DNS rebinding) shares the origin of that name, so its requests pass every check
 * of origins. The Host header gives it away: the service answers to addresses, to names that no
 * public DNS serves, and to the names of `--allow-host`.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { type Refusal, refuse } from '../../../contract/refusal.ts';

/** Top-level names that public DNS never serves (RFC 6761, 6762, 8375, 9476; ICANN .internal). */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'test', 'alt', 'svc'];

function hostHeaders(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Host and port of a Host header (RFC 9110 §7.2): a name, an IPv4 or a bracketed IPv6 address. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i;

/** Refuses a missing, repeated or malformed Host header. */
function hostRefusal({ rawHeaders, httpVersion, headers }: IncomingMessage): Refusal | null {
  const hosts = hostHeaders(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return refuse('malformed_body', 'Send one Host header');
  }
  if (hosts === 0 || HOST.test(headers.host!)) return null;
  return refuse('malformed_body', 'The Host header must be a host name or address and a port');
}

/**
 * Replaces a target in absolute form (`GET http://arm/api/versions`, RFC 9112 §3.2.2) by its path;
 * its authority replaces the Host header, whatever that says. Refuses every other form.
 */
function targetRefusal(request: IncomingMessage): Refusal | null {
  const { url = '' } = request;
  if (url.startsWith('/') || url === '*') return null;
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (!HOST.test(authority)) {
    return refuse('malformed_body', 'The target must be a path, or http://<host>/<path>');
  }
  request.headers.host = authority;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return null;
}

/** The name or address of an authority, without port, brackets and trailing dot. */
function nameOf(authority: string): string {
  const name = authority.toLowerCase().replace(/:\d*$/, '');
  return name.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether a name is an address, or one that no public DNS serves. */
export function isPrivateName(name: string): boolean {
  if (isIP(name) !== 0 || !name.includes('.')) return true;
  return PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

export class HostPolicy {
  private readonly names: ReadonlySet<string>;
  /** Ends of names, each with its leading dot. */
  private readonly suffixes: readonly string[];
  private readonly allowsAny: boolean;

  /** `allowed` are names without ports, `*.name` for those below a name, or `*` for any. */
  constructor(allowed: readonly string[]) {
    this.names = new Set([...allowed, hostname()].map(nameOf));
    this.suffixes = allowed
      .filter((name) => name.startsWith('*.'))
      .map((name) => nameOf(name).slice(1));
    this.allowsAny = allowed.includes('*');
  }

  private isAllowed(name: string): boolean {
    if (this.allowsAny || isPrivateName(name) || this.names.has(name)) return true;
    return this.suffixes.some((suffix) => name.endsWith(suffix));
  }

  /** Refuses a request to a malformed or unknown host; its target becomes a plain path. */
  refusalOf(request: IncomingMessage): Refusal | null {
    const malformed = hostRefusal(request) ?? targetRefusal(request);
    if (malformed) return malformed;
    const name = nameOf(request.headers.host ?? '');
    if (this.isAllowed(name)) return null;
    return refuse(
      'unknown_host',
      `${name} is not a name of this service; add it with --allow-host`,
    );
  }
}
