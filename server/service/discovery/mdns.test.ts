/**
 * Discovery over mDNS on the loopback interface.
 * @module-tag ci
 */
import { Bonjour, type Service } from 'bonjour-service';
import { expect, it } from 'vitest';
import { createTwin } from '../../index.ts';
import {
  announce,
  discoveryWarnings,
  hostNameOf,
  multicastOptions,
  reachableAddresses,
  SERVICE_TYPE,
} from './mdns.ts';

const MDNS_PORT = 45_353;

/** Searches for the service; null when none is found within the limit. */
function find(mdnsPort: number, limit_ms: number): Promise<Service | null> {
  const browser = new Bonjour(multicastOptions('127.0.0.1', mdnsPort));
  return new Promise((resolve) => {
    const end = (found: Service | null) => {
      clearTimeout(timer);
      browser.destroy(() => resolve(found));
    };
    const timer = setTimeout(() => end(null), limit_ms);
    browser.findOne({ type: SERVICE_TYPE }, limit_ms, (service: Service | null) => {
      if (service) end(service);
    });
  });
}

it('publishes the name in the TXT record of _automata-eva._tcp until it stops', async () => {
  const errors: unknown[] = [];
  const announced = await announce({
    name: 'Quiet Harbour Fox',
    port: 4321,
    address: '127.0.0.1',
    mdnsPort: MDNS_PORT,
    onError: (error) => errors.push(error),
  });
  const found = await find(MDNS_PORT, 5000);
  expect(found).toMatchObject({
    type: SERVICE_TYPE,
    protocol: 'tcp',
    port: 4321,
    txt: { name: 'Quiet Harbour Fox' },
  });
  expect(found?.host).toBe('quiet-harbour-fox.local');
  expect(found?.addresses).toEqual(['127.0.0.1']);
  expect(found?.fqdn).toBe('Quiet Harbour Fox._automata-eva._tcp.local');
  await announced.stop();
  expect(await find(MDNS_PORT, 500)).toBeNull();
  expect(errors).toEqual([]);
});

it('multicasts on one interface, or on every interface', () => {
  expect(multicastOptions('192.0.2.7')).toEqual({ interface: '192.0.2.7', bind: '0.0.0.0' });
  for (const host of ['0.0.0.0', '::', '::1']) {
    expect(multicastOptions(host)).toEqual({ bind: '0.0.0.0' });
  }
});

it('names the host after the robot, in letters, digits and hyphens', () => {
  expect(hostNameOf('Quiet Harbour Fox')).toBe('quiet-harbour-fox.local');
  expect(hostNameOf(' Zoë’s arm (2) ')).toBe('zoe-s-arm-2.local');
  expect(hostNameOf('腕')).toBe('armtwin.local');
  expect(hostNameOf('a'.repeat(100))).toBe(`${'a'.repeat(63)}.local`);
});

const INTERFACES = {
  lo: [{ address: '127.0.0.1' }, { address: '::1' }],
  eth0: [{ address: '192.0.2.7' }, { address: '2001:db8::7' }, { address: 'fe80::7', scopeid: 2 }],
};

it('announces only addresses that the server listens on', () => {
  const announced = (address: string) => reachableAddresses(address, INTERFACES);
  expect(announced('192.0.2.9')).toEqual(['192.0.2.9']);
  expect(announced('127.0.0.1')).toEqual(['127.0.0.1']);
  expect(announced('0.0.0.0')).toEqual(['192.0.2.7']);
  expect(announced('::')).toEqual(['192.0.2.7', '2001:db8::7']);
  expect(reachableAddresses('0.0.0.0', { lo: INTERFACES.lo })).toEqual(['127.0.0.1']);
});

it('warns where clients of the network cannot connect', () => {
  expect(discoveryWarnings(80, ['192.0.2.7'])).toEqual([]);
  expect(discoveryWarnings(80, ['127.0.0.1', '::1'])[0]).toContain('--host 0.0.0.0');
  expect(discoveryWarnings(8080, ['192.0.2.7'])[0]).toContain('--port 80');
  expect(discoveryWarnings(8080, ['127.0.0.1'])).toHaveLength(2);
});

it('does not advertise unless configured', async () => {
  const twin = await createTwin();
  // Other twins of the local network may be found.
  expect((await find(5353, 300))?.port).not.toBe(Number(new URL(twin.url).port));
  await twin.close();
});
