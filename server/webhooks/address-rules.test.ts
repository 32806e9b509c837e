import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { shares } from '../../contract/shares.ts';
import { SimulatedWall } from '../service/http/simulated-network.cases.ts';
import { type AddressRules, literalDenial } from './address-rules.ts';
import { deniedHooks } from './denied-hooks.ts';
import { pinAddress } from './pinned-address.ts';
import { Resolver } from './resolver.ts';

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
    'http://168.63.129.16/',
    'http://192.31.196.1/',
    'http://192.52.193.1/',
    'http://192.88.99.1/',
    'http://192.175.48.1/',
    'http://[2620:4f:8000::1]/',
    'http://[::ffff:0:169.254.169.254]/',
    'http://[::ffff:0:192.0.2.1]/',
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
    for (const host of ['127.0.0.1:9000', '10.1.2.3', '100.64.0.1', '[fd12::1]', '[::1]:9000']) {
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

  it.each([
    '::ffff:169.254.169.254',
    '::ffff:0:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '::169.254.169.254',
  ])('are denied as a name resolves to %s', async (ip) => {
    expect(await resultOf('http://hooks.test/', open, ip)).toMatch(/never called/);
  });

  it('are the twin itself with its port alone, which may be that of the scheme', async () => {
    const at = (port: number): AddressRules => ({ ...open, ownPort: () => port });
    const itself = 'that is the twin itself';
    expect(await resultOf('https://127.0.0.1/', at(443))).toBe(itself);
    expect(await resultOf('http://127.0.0.1/', at(80))).toBe(itself);
    expect(await resultOf('https://127.0.0.1:80/', at(80))).toBe(itself);
    for (const [url, port] of [
      ['https://127.0.0.1/', 80],
      ['http://127.0.0.1/', 443],
      ['http://127.0.0.1:8081/', 80],
    ] as const) {
      expect(await resultOf(url, at(port))).toBe('127.0.0.1');
    }
    expect(await resultOf('http://93.184.216.34:8080/', strict)).toBe('93.184.216.34');
  });

  it('of this machine are the twin itself', async () => {
    const { networkInterfaces } = os;
    const stub = () => ({
      eth0: [{ address: '10.9.8.7' }, { address: 'fd12::9' }],
      off: undefined,
    });
    Object.assign(os, { networkInterfaces: stub });
    syncBuiltinESMExports();
    try {
      for (const host of ['10.9.8.7', '[fd12::9]']) {
        expect(await resultOf(`http://${host}:8080/`)).toBe('that is the twin itself');
        const hook = { parameters: { url: `http://${host}:8080/` } };
        const denied = deniedHooks({ hooks: [hook] }, { allowPrivate: true, ownPort: 8080 });
        expect(denied.map(({ message }) => message)).toEqual(['that is the twin itself']);
      }
      expect(await resultOf('http://10.9.8.8:8080/')).toBe('10.9.8.8');
    } finally {
      Object.assign(os, { networkInterfaces });
      syncBuiltinESMExports();
    }
  });

  it('have http or https, and neither user nor password', async () => {
    for (const scheme of ['http', 'https']) {
      expect(await resultOf(`${scheme}://93.184.216.34/`)).toBe('93.184.216.34');
    }
    for (const user of ['ada@', ':secret@']) {
      expect(await resultOf(`http://${user}93.184.216.34/`)).toContain('user name or password');
    }
  });

  it('are pinned with their family', async () => {
    for (const [host, ip, family] of [
      ['93.184.216.34', '93.184.216.34', 4],
      ['[2a00:1450::7]', '2a00:1450::7', 6],
    ] as const) {
      const result = await pinAddress(`http://${host}/a`, open);
      expect(result).toMatchObject({ ok: true, value: { ip, family } });
    }
  });

  it('that cannot be resolved are not found', async () => {
    const fail = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await pinAddress('http://hooks.test/', open, fail)).toMatchObject({
      error: 'hooks.test is not found',
    });
  });

  it('are denied as literals without a lookup; names are not', () => {
    const reason = (url: string) => literalDenial(new URL(url), strict);
    expect(reason('http://[fe80::1]/')).toContain('never called');
    expect(reason('http://10.0.0.1/')).toContain('private');
    expect(reason('http://hooks.test/')).toBeNull();
    expect(reason('http://93.184.216.34/')).toBeNull();
    const ownAddresses = () => expect.unreachable('a name needs no addresses of this machine');
    expect(literalDenial(new URL('http://hooks.test:8080/'), { ...open, ownAddresses })).toBeNull();
  });
});

describe('hooks of a definition', () => {
  const rules = { allowPrivate: false, ownPort: 8080 };
  const to = (url: unknown) => ({ parameters: { url } });

  it('that go to denied addresses are listed with their places', () => {
    const definition = {
      hooks: [to('http://hooks.test/'), to('http://10.0.0.1/')],
      workflow: { hooks: [to('http://127.0.0.1:8080/'), to('http://93.184.216.34/')] },
    };
    expect(deniedHooks(definition, rules)).toEqual([
      { path: '/workflow/hooks/0/parameters/url', message: 'that is the twin itself' },
      {
        path: '/hooks/1/parameters/url',
        message: '10.0.0.1 is loopback or private, which is denied',
      },
    ]);
  });

  it.each([
    {},
    { hooks: 'none', workflow: {} },
    { hooks: [null, {}, { parameters: {} }, to(7), to(['http://10.0.0.1/']), to('nonsense')] },
  ])('that have no address are left to the schema: %j', (definition) => {
    expect(deniedHooks(definition, rules)).toEqual([]);
  });
});

describe('lookups', () => {
  it('are limited, and the next one starts when one ends, also when it fails', async () => {
    const wall = new SimulatedWall();
    const running = new Map<string, (found: readonly string[] | Error) => void>();
    const resolver = new Resolver(
      wall,
      (host) =>
        new Promise((resolve, reject) => {
          running.set(host, (found) => (found instanceof Error ? reject(found) : resolve(found)));
        }),
    );
    const end = async (host: string, found: readonly string[] | Error) => {
      running.get(host)!(found);
      running.delete(host);
      await new Promise(setImmediate);
    };
    const most = shares.hook_dns_lookups.total;
    const hosts = Array.from({ length: most + 2 }, (_, i) => `host-${i}`);
    const results = hosts.map((host, owner) => resolver.find(owner, host, 1000).catch(String));
    expect([...running.keys()]).toEqual(hosts.slice(0, most));
    await end('host-0', ['192.0.2.1']);
    expect([...running.keys()]).toEqual(hosts.slice(1, most + 1));
    await end('host-1', new Error('ENOTFOUND'));
    expect([...running.keys()]).toEqual(hosts.slice(2));
    wall.advance(999);
    for (const host of hosts.slice(2, -1)) await end(host, [host]);
    wall.advance(1);
    expect(await Promise.all(results)).toEqual([
      ['192.0.2.1'],
      'Error: ENOTFOUND',
      ...hosts.slice(2, -1).map((host) => [host]),
      `Error: the DNS lookup of ${hosts.at(-1)} timed out`,
    ]);
    await end(hosts.at(-1)!, []);
    expect(wall.next_ms).toBeNull();
    for (let i = 0; i < most + 1; i++) resolver.find(i, `later-${i}`, 1000).catch(() => {});
    expect(running.size).toBe(most);
  });
});
