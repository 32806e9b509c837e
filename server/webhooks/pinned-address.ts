/**
 * The address of a delivery, resolved once per attempt. The connection is pinned to its IP
 * address, so a second DNS answer cannot redirect it (docs/decisions).
 */

import { isIP } from 'node:net';
import { failure, type Result, success } from '../../contract/result.ts';
import { type AddressRules, denialReason, hostNameOf } from './address-rules.ts';
import { type Resolve, systemResolve } from './resolver.ts';

export interface PinnedAddress {
  readonly url: URL;
  readonly ip: string;
  readonly family: 4 | 6;
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
  const host = hostNameOf(url);
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
