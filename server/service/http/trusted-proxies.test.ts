/** The client behind proxies: whose word counts, and what a client writes itself does not. */
import { describe, expect, it } from 'vitest';
import { TrustedProxies } from './trusted-proxies.ts';

const originOf = (peer: string, forwarded: string | undefined, ...trusted: string[]) =>
  new TrustedProxies(trusted).originOf(peer, {
    ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
  });

describe('the origin of a call', () => {
  it.each([
    ['10.0.0.2', '203.0.113.9', ['10.0.0.2'], '203.0.113.9'],
    ['::ffff:10.0.0.2', '203.0.113.9', ['10.0.0.0/8'], '203.0.113.9'],
    ['10.0.0.2', '1.2.3.4, 203.0.113.9', ['10.0.0.2'], '203.0.113.9'],
    ['10.0.0.2', '1.2.3.4, 203.0.113.9, 10.0.0.3', ['10.0.0.0/8'], '203.0.113.9'],
    ['fd00::2', '2001:db8::9', ['fd00::/8'], '2001:db8::9'],
  ])('from %s for %s with %j trusted is %s', (peer, forwarded, trusted, address) => {
    expect(originOf(peer, forwarded, ...trusted)).toEqual({ address, proxy: peer });
  });

  it.each([
    ['without the header', '10.0.0.2', undefined, ['10.0.0.2']],
    ['from a proxy that nothing trusts', '10.0.0.2', '203.0.113.9', ['10.0.0.3']],
    ['without a setting', '10.0.0.2', '203.0.113.9', []],
    ['with a header that is no address', '10.0.0.2', 'me', ['10.0.0.2']],
    ['with proxies alone', '10.0.0.2', '10.0.0.2', ['10.0.0.2']],
  ])('is the connection %s', (_when, peer, forwarded, trusted) => {
    expect(originOf(peer, forwarded, ...trusted)).toEqual({ address: peer });
  });

  it('is told of once where the header is ignored', () => {
    const proxies = new TrustedProxies([]);
    const told: string[] = [];
    proxies.onIgnored = (proxy) => void told.push(proxy);
    for (let i = 0; i < 3; i++) proxies.originOf('10.0.0.2', { 'x-forwarded-for': '1.2.3.4' });
    expect(told).toEqual(['10.0.0.2']);
  });
});
