import { describe, expect, it } from 'vitest';
import { type AddressRules, pinAddress } from './addresses.ts';

const open: AddressRules = { allowPrivate: true, ownPort: () => 8080 };
const strict: AddressRules = { ...open, allowPrivate: false };

async function resultOf(url: string, rules = open, ...found: string[]): Promise<string> {
  const result = await pinAddress(url, rules, async () => found);
  return result.ok ? result.value.ip : result.error;
}

describe('addresses', () => {
  it.each([
    'http://169.254.169.254/latest',
    'http://[fe80::1]/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://224.0.0.1/',
    'http://[ff02::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::169.254.169.254]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://100.100.100.200/',
    'http://192.0.0.8/',
    'http://192.0.2.1/',
    'http://198.19.255.255/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://255.255.255.255/',
    'http://[::ffff:203.0.113.1]/',
    'http://[100::1]/',
    'http://[2001:db8::1]/',
    'http://[2001::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[fec0::1]/',
    'http://[64:ff9b:1::1]/',
    'http://2852039166/',
    'http://0x7f.1:8080/',
    'http://localhost.:8080/',
  ])('%s is never called', async (url) => {
    expect(await resultOf(url, open, '127.0.0.1')).toMatch(/never called|the twin itself/);
  });

  it('pins the address of a name, and denies a name with any denied address', async () => {
    expect(await resultOf('http://hooks.test/', open, '93.184.216.34')).toBe('93.184.216.34');
    const mixed = await resultOf('http://hooks.test/', open, '93.184.216.34', '169.254.169.254');
    expect(mixed).toContain('169.254.169.254');
    expect(await resultOf('http://hooks.test/', open)).toContain('no address');
  });

  it('allows loopback and private networks by default', async () => {
    expect(await resultOf('http://127.0.0.1:9000/')).toBe('127.0.0.1');
    for (const host of ['127.0.0.1:9000', '10.1.2.3', '192.168.1.1', '[fd12::1]', '[::1]:9000']) {
      expect(await resultOf(`http://${host}/`, strict)).toContain('which is denied');
    }
  });

  it('refuses the twin’s own port, other schemes and user names', async () => {
    expect(await resultOf('http://127.0.0.1:8080/x')).toBe('that is the twin itself');
    const here: AddressRules = { ...open, ownAddresses: () => ['192.168.7.7', '2a00:1450::7'] };
    for (const host of ['192.168.7.7', '[::ffff:192.168.7.7]', '[2a00:1450::7]']) {
      expect(await resultOf(`http://${host}:8080/`, here)).toBe('that is the twin itself');
      expect(await resultOf(`http://${host}:8081/`, here)).not.toContain('twin');
    }
    expect(await resultOf('ftp://example.org/')).toBe('not http or https');
    expect(await resultOf('http://a:b@example.org/')).toContain('user name');
    expect(await resultOf('nonsense')).toContain('absolute');
  });
});
