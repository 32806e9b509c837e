/**
 * The proxies in front of this service, and the client behind them: the last address of
 * X-Forwarded-For that no trusted proxy has. What a client writes into the header itself stands
 * before that, and does not count.
 */
import { BlockList, isIP } from 'node:net';

/** Where a call comes from, as the audit log has it. */
export interface CallOrigin {
  /** Address of the client. */
  readonly address: string;
  /** Address of the proxy that brought the call; absent without a trusted one. */
  readonly proxy?: string;
}

/** An IPv4 address inside an IPv6 one, as a socket for both kinds reports it. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

function kindOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

export class TrustedProxies {
  /** Called with the first forwarded address that is ignored: nothing trusts its proxy. */
  onIgnored: (proxy: string) => void = () => {};
  private readonly list = new BlockList();
  private hasIgnored = false;

  /** Takes addresses, and networks such as 10.0.0.0/8. */
  constructor(addresses: readonly string[]) {
    for (const one of addresses) {
      const [network = '', bits] = one.split('/');
      if (bits === undefined) this.list.addAddress(network, kindOf(network));
      else this.list.addSubnet(network, Number(bits), kindOf(network));
    }
  }

  private trusts(address: string): boolean {
    return isIP(address) !== 0 && this.list.check(address, kindOf(address));
  }

  /** The origin of a call of this connection with these headers. */
  originOf(
    peer: string,
    { 'x-forwarded-for': header }: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): CallOrigin {
    if (header === undefined) return { address: peer };
    const proxy = peer.replace(MAPPED, '');
    if (!this.trusts(proxy)) {
      if (!this.hasIgnored) this.onIgnored(peer);
      this.hasIgnored = true;
      return { address: peer };
    }
    const hops = String(header)
      .split(',')
      .map((hop) => hop.trim().replace(MAPPED, ''));
    const client = hops.reverse().find((hop) => !this.trusts(hop));
    // A hop that is no address was written by the client.
    if (client === undefined || isIP(client) === 0) return { address: peer };
    return { address: client, proxy: peer };
  }
}

/** The setting that trusts no proxy. */
export const NO_PROXIES: TrustedProxies = new TrustedProxies([]);
